-- What all parts of the script share. Each algorithm is the twin of the TypeScript of the same name: the same
-- operations in the same order, so that both give the same bits.
--
-- An algorithm is a table of
--   parameters             how many it has
--   format, size           of its state in Redis, for one that is read whole: livesUntil, then its own numbers; or
--   numbers, width, most   for one in a ring, the names of the three numbers that its header holds besides, how many
--                          places a record takes, and which parameter says how many records there can be
--   isSound                whether numbers that were read may have been written: what Redis holds may be damaged, and
--                          then counts as no state. Where only a part of a ring is read, what stands there is not
--                          trusted either: nothing that was charged since may be forgotten early for it
--   longest                how long a state can matter at most, in microseconds
--   heal, fits, judge, charge, refund, mark
--                          as in TypeScript; heal says whether it had to move anything, judge gives remaining,
--                          retryAfterMs and resetAfterMs. A state that is not there yet is one of zeros.
--
-- States and parameters are lists, since a table with names takes three times the memory, and memory is most of what
-- a script costs. Names in capitals are constants, for which the build writes their numbers. What stands at which
-- place:

-- The first places of every state: the key, what is counted there, when it will be as good as unused if it has to be
-- written (false while it need not), and the instant at which Redis will drop it.
local KEY, COUNTER, RESET_AFTER, LIVES_UNTIL = 1, 2, 3, 4

-- The generation of a state that is read whole.
local GENERATION = 7

-- A clock that steps back by no more than this, in microseconds, is waited out.
local LARGEST_STEP_WAITED_OUT = 1000000

-- In microseconds, what a state may matter longer than its algorithm says, and a millisecond.
local WAITED_OUT_AND_ROUNDED = 1001000

-- Whatever is not a number up to 2^53, NaN and infinity among it, is nothing that we wrote.
local LARGEST = 9007199254740992

-- In microseconds, 142 years: no clock steps back by more. A state's own clock may be that far ahead; it goes on for as
-- long again until it meets the bound above.
local LARGEST_STEP = 4503599627370496

-- How far gcra counts what has left its queue.
local LARGEST_MARK = 72057594037927936

-- In milliseconds: a state that matters for no longer than this is given a longer life still.
local SHORT_NEED = 30000
