-- Fixed window: a count for each span, aligned to the epoch.
local INSTANT, AHEAD, GENERATION, COUNT = 5, 6, 7, 8
local LIMIT, SPAN = 1, 2
local ceil, floor, max, min, INFINITY = math.ceil, math.floor, math.max, math.min, math.huge
local clock = use("own-clock")
local ownTime, healClock, restartClock, isSoundClock =
  clock.ownTime, clock.healClock, clock.restartClock, clock.isSoundClock

local function countAt(state, params, at)
  local span = params[SPAN]
  return floor(state[INSTANT] / span) == floor(at / span) and state[COUNT] or 0
end

local function isSound(state, params, now)
  local count = state[COUNT]
  return isSoundClock(state, now) and count >= 0 and count <= params[LIMIT] and count % 1 == 0
end

local function longest(params)
  return params[SPAN]
end

local function heal(state, params, now)
  return healClock(state, now)
end

local function fits(state, params, cost, now)
  return countAt(state, params, ownTime(state, now)) + cost <= params[LIMIT]
end

local function judge(state, params, cost, now)
  local limit, span = params[LIMIT], params[SPAN]
  local at = ownTime(state, now)
  local count = countAt(state, params, at)
  local untilEnd = ceil(((floor(at / span) + 1) * span - state[AHEAD] - now) / 1000)
  local allowed = count + cost <= limit
  local retryAfterMs = allowed and 0 or cost > limit and INFINITY or untilEnd
  local resetAfterMs = count == 0 and 0 or untilEnd
  return limit - count, retryAfterMs, resetAfterMs
end

local function charge(state, params, cost, now)
  local at = ownTime(state, now)
  local count = countAt(state, params, at)
  if count == 0 then restartClock(state, now) else state[INSTANT] = at end
  if count + cost > params[LIMIT] then state[GENERATION] = 0 end
  state[COUNT] = min(params[LIMIT], count + cost)
end

local function refund(state, params, cost, now, charged, chargedAt)
  local at, span = ownTime(state, now), params[SPAN]
  if floor((chargedAt + state[AHEAD]) / span) ~= floor(at / span) then return end
  state[COUNT] = max(0, state[COUNT] - cost)
  state[INSTANT] = at
end

return {
  parameters = 2,
  format = "<ddddd",
  size = 40,
  isSound = isSound,
  longest = longest,
  heal = heal,
  fits = fits,
  judge = judge,
  charge = charge,
  refund = refund,
}
