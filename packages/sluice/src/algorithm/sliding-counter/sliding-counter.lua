-- Sliding counter: the previous window, weighted by the share of it still in view, plus the current one.
-- State: instant, ahead, previous, current, livesUntil. Params: limit, span.
local ceil, floor, max, min, INFINITY = math.ceil, math.floor, math.max, math.min, math.huge
local clock = use("own-clock")
local ownTime = clock.ownTime
local UNUSED = { instant = 0, ahead = 0, previous = 0, current = 0 }

local function params(list, at)
  return { limit = list[at], span = list[at + 1] }, at + 2
end

local function decode(text)
  if #text ~= 40 then return nil end
  local instant, ahead, previous, current, livesUntil = struct.unpack("<ddddd", text)
  return { instant = instant, ahead = ahead, previous = previous, current = current, livesUntil = livesUntil }
end

local function encode(state)
  return struct.pack("<ddddd", state.instant, state.ahead, state.previous, state.current, state.livesUntil)
end

local function previousAt(state, params, window)
  local own = floor(state.instant / params.span)
  if own == window then return state.previous end
  return own == window - 1 and state.current or 0
end

local function currentAt(state, params, window)
  return floor(state.instant / params.span) == window and state.current or 0
end

local function weighted(previous, window, params, at)
  return (previous * (params.span - (at - window * params.span))) / params.span
end

local function instantWithRoom(window, previous, room, params)
  if previous <= room then return window * params.span end
  return (window + 1) * params.span - floor((room * params.span) / previous)
end

local function heal(state, params, now)
  return clock.healClock(state, now)
end

local function fits(state, params, cost, now)
  state = state or UNUSED
  local at = ownTime(state, now)
  local window = floor(at / params.span)
  local weight = weighted(previousAt(state, params, window), window, params, at)
  return weight <= params.limit - cost - currentAt(state, params, window)
end

local function judge(state, params, cost, now)
  state = state or UNUSED
  local limit, span = params.limit, params.span
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
    retryAfterMs = ceil((next - state.ahead - now) / 1000)
  end

  local resetAfterMs = 0
  if current > 0 then
    resetAfterMs = ceil(((window + 2) * span - state.ahead - now) / 1000)
  elseif previous > 0 then
    resetAfterMs = ceil(((window + 1) * span - state.ahead - now) / 1000)
  end

  return max(0, limit - current - ceil(weight)), retryAfterMs, resetAfterMs
end

local function charge(state, params, cost, now)
  state = state or { instant = 0, ahead = 0, previous = 0, current = 0, livesUntil = 0 }
  local at = ownTime(state, now)
  local window = floor(at / params.span)
  local previous = previousAt(state, params, window)
  local current = currentAt(state, params, window)
  local unused = previous + current == 0
  if unused then state.ahead = 0 end
  state.instant = unused and now or at
  state.previous = previous
  state.current = min(params.limit, current + cost)
  return state
end

local function refund(state, params, cost, now, age)
  local at = ownTime(state, now)
  local window = floor(at / params.span)
  local charged = floor((at - age) / params.span)
  local current = currentAt(state, params, window)
  local fromCurrent = charged == window and min(current, cost) or 0
  local fromPrevious = charged >= window - 1 and cost - fromCurrent or 0
  state.previous = max(0, previousAt(state, params, window) - fromPrevious)
  state.current = current - fromCurrent
  state.instant = at
  return state
end

return {
  params = params,
  decode = decode,
  encode = encode,
  heal = heal,
  fits = fits,
  judge = judge,
  charge = charge,
  refund = refund,
}
