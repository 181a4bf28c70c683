-- A state's own clock, for algorithms whose windows are aligned to the epoch.
local INSTANT, AHEAD, GENERATION = 5, 6, 7

local function ownTime(state, now)
  local own = now + state[AHEAD]
  return own > state[INSTANT] and own or state[INSTANT]
end

local function healClock(state, now)
  if state[INSTANT] - (now + state[AHEAD]) <= LARGEST_STEP_WAITED_OUT then return false end
  state[AHEAD] = state[INSTANT] - now
  state[GENERATION] = 0
  return true
end

local function restartClock(state, now)
  state[INSTANT] = now
  state[AHEAD] = 0
  state[GENERATION] = 0
end

local function isSoundClock(state, now)
  local instant, ahead, generation = state[INSTANT], state[AHEAD], state[GENERATION]
  return instant >= 0 and instant <= LARGEST and ahead >= 0 and ahead <= LARGEST and instant - ahead - now <= LARGEST_STEP
    and generation >= 0 and generation <= LARGEST
end

return {
  ownTime = ownTime,
  healClock = healClock,
  restartClock = restartClock,
  isSoundClock = isSoundClock,
}
