-- Sliding counter: the previous window, weighted by the share of it still in view, plus the current one.
local INSTANT, AHEAD, GENERATION, PREVIOUS, CURRENT = 5, 6, 7, 8, 9
local LIMIT, SPAN = 1, 2
local ceil, floor, max, min, INFINITY = math.ceil, math.floor, math.max, math.min, math.huge
local clock = use("own-clock")
local ownTime, healClock, restartClock, isSoundClock =
  clock.ownTime, clock.healClock, clock.restartClock, clock.isSoundClock

local function previousAt(state, params, window)
  local own = floor(state[INSTANT] / params[SPAN])
  if own == window then return state[PREVIOUS] end
  return own == window - 1 and state[CURRENT] or 0
end

local function currentAt(state, params, window)
  return floor(state[INSTANT] / params[SPAN]) == window and state[CURRENT] or 0
end

local function weighted(previous, window, params, at)
  local span = params[SPAN]
  return (previous * (span - (at - window * span))) / span
end

local function instantWithRoom(window, previous, room, params)
  local span = params[SPAN]
  if previous <= room then return window * span end
  return (window + 1) * span - floor((room * span) / previous)
end

local function isSound(state, params, now)
  local limit, previous, current = params[LIMIT], state[PREVIOUS], state[CURRENT]
  return isSoundClock(state, now) and previous >= 0 and previous <= limit and previous % 1 == 0
    and current >= 0 and current <= limit and current % 1 == 0
end

local function longest(params)
  return 2 * params[SPAN]
end

local function heal(state, params, now)
  return healClock(state, now)
end

local function fits(state, params, cost, now)
  local at = ownTime(state, now)
  local window = floor(at / params[SPAN])
  local weight = weighted(previousAt(state, params, window), window, params, at)
  return weight <= params[LIMIT] - cost - currentAt(state, params, window)
end

local function judge(state, params, cost, now)
  local limit, span = params[LIMIT], params[SPAN]
  local at = ownTime(state, now)
  local window = floor(at / span)
  local previous = previousAt(state, params, window)
  local current = currentAt(state, params, window)
  local weight = weighted(previous, window, params, at)
  local room = limit - cost - current
  local allowed = weight <= room

  local retryAfterMs = 0
  if cost > limit then
    retryAfterMs = INFINITY
  elseif not allowed then
    local next
    if room >= 0 then
      next = instantWithRoom(window, previous, room, params)
    else
      next = instantWithRoom(window + 1, current, limit - cost, params)
    end
    retryAfterMs = max(1, ceil((next - state[AHEAD] - now) / 1000))
  end

  local resetAfterMs = 0
  if current > 0 then
    resetAfterMs = ceil(((window + 2) * span - state[AHEAD] - now) / 1000)
  elseif previous > 0 then
    resetAfterMs = ceil(((window + 1) * span - state[AHEAD] - now) / 1000)
  end

  return max(0, limit - current - ceil(weight)), retryAfterMs, resetAfterMs
end

local function charge(state, params, cost, now)
  local at = ownTime(state, now)
  local window = floor(at / params[SPAN])
  local previous = previousAt(state, params, window)
  local current = currentAt(state, params, window)
  if previous + current == 0 then restartClock(state, now) else state[INSTANT] = at end
  if current + cost > params[LIMIT] then state[GENERATION] = 0 end
  state[PREVIOUS] = previous
  state[CURRENT] = min(params[LIMIT], current + cost)
end

local function refund(state, params, cost, now, charged, chargedAt)
  local at, span = ownTime(state, now), params[SPAN]
  local window = floor(at / span)
  local chargedIn = floor((chargedAt + state[AHEAD]) / span)
  if chargedIn < window - 1 then return end
  local previous = previousAt(state, params, window)
  local current = currentAt(state, params, window)
  state[PREVIOUS] = chargedIn == window - 1 and max(0, previous - cost) or previous
  state[CURRENT] = chargedIn == window and max(0, current - cost) or current
  state[INSTANT] = at
end

return {
  parameters = 2,
  format = "<dddddd",
  size = 48,
  isSound = isSound,
  longest = longest,
  heal = heal,
  fits = fits,
  judge = judge,
  charge = charge,
  refund = refund,
}
