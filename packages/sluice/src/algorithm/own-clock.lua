-- A state's own clock, for algorithms whose windows are aligned to the epoch.
local INSTANT, AHEAD = 5, 6

local function ownTime(state, now)
  local own = now + state[AHEAD]
  return own > state[INSTANT] and own or state[INSTANT]
end

local function healClock(state, now)
  if state[INSTANT] - (now + state[AHEAD]) <= LARGEST_STEP_WAITED_OUT then return false end
  state[AHEAD] = state[INSTANT] - now
  return true
end

return { ownTime = ownTime, healClock = healClock }
