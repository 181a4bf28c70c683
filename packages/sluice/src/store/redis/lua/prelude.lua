-- What all parts of the script share. Each algorithm is the twin of the TypeScript of the same name: the same
-- operations in the same order, so that both give the same bits.
--
-- An algorithm is a table of functions:
--   params(list, at)               its parameters, from the place `at` of a list; and the place behind them
--   decode(text), encode(state)    for state that is read whole; decode gives nil for what is not its own
--                                  (livesUntil is part of it: when Redis will drop the key)
--   numbers                        instead of these two, for state in a ring: the names of what its header holds
--   heal(state, params, now)       true when it had to move anything
--   fits, judge, charge, refund    as in TypeScript; judge gives remaining, retryAfterMs and resetAfterMs

-- A clock that steps back by no more than this, in microseconds, is waited out.
local LARGEST_STEP_WAITED_OUT = 1000000
