-- What all parts of the script share. Each algorithm is the twin of the TypeScript of the same name: the same
-- operations in the same order, so that both give the same bits.
--
-- An algorithm is a table of
--   parameters             how many it has
--   format, size           of its state in Redis, for one that is read whole: livesUntil, then its own numbers; or
--   numbers                for one in a ring, the names of the three numbers that its header holds besides
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

-- A clock that steps back by no more than this, in microseconds, is waited out.
local LARGEST_STEP_WAITED_OUT = 1000000

-- Whatever is not a number below 2^56, NaN and infinity among it, is nothing that we wrote.
local LARGEST = 72057594037927936

-- How far gcra counts what has left its queue.
local LARGEST_MARK = 9007199254740992

-- In milliseconds: a state that matters for no longer than this is given a longer life still.
local SHORT_NEED = 30000
