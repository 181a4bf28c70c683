-- A state's own clock, for algorithms whose windows are aligned to the epoch.
local max = math.max

local function ownTime(state, now)
  return max(now + state.ahead, state.instant)
end

local function healClock(state, now)
  if state.instant - (now + state.ahead) <= LARGEST_STEP_WAITED_OUT then return false end
  state.ahead = state.instant - now
  return true
end

return { ownTime = ownTime, healClock = healClock }
