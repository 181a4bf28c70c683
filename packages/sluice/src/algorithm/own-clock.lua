-- A state's own clock, for algorithms whose windows are aligned to the epoch.
local INSTANT, AHEAD, SINCE = 5, 6, 7

local function ownTime(state, now)
  local own = now + state[AHEAD]
  return own > state[INSTANT] and own or state[INSTANT]
end

local function healClock(state, now)
  if state[INSTANT] - (now + state[AHEAD]) <= LARGEST_STEP_WAITED_OUT then return false end
  local last = state[INSTANT] - state[AHEAD] + 1
  if last > state[SINCE] then state[SINCE] = last end
  state[AHEAD] = state[INSTANT] - now
  return true
end

local function restartClock(state, now)
  if now > state[SINCE] then state[SINCE] = now end
  state[INSTANT] = now
  state[AHEAD] = 0
end

local function ownInstantOf(state, chargedAt)
  local own = chargedAt + state[AHEAD]
  return state[SINCE] <= chargedAt and own <= state[INSTANT] and own or nil
end

local function isSoundClock(state, now)
  local instant, ahead, since = state[INSTANT], state[AHEAD], state[SINCE]
  return instant >= 0 and instant <= LARGEST and ahead >= 0 and ahead <= LARGEST and instant - ahead - now <= LARGEST_STEP
    and since >= 0 and since <= LARGEST
end

return {
  ownTime = ownTime,
  healClock = healClock,
  restartClock = restartClock,
  ownInstantOf = ownInstantOf,
  isSoundClock = isSoundClock,
}
