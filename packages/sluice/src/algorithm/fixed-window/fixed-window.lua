-- Fixed window: a count for each span, aligned to the epoch.
-- State: instant, ahead, count, livesUntil. Params: limit, span.
local ceil, floor, max, min, INFINITY = math.ceil, math.floor, math.max, math.min, math.huge
local clock = use("own-clock")
local ownTime = clock.ownTime

local function params(list, at)
  return { limit = list[at], span = list[at + 1] }, at + 2
end

local function decode(text)
  if #text ~= 32 then return nil end
  local instant, ahead, count, livesUntil = struct.unpack("<dddd", text)
  return { instant = instant, ahead = ahead, count = count, livesUntil = livesUntil }
end

local function encode(state)
  return struct.pack("<dddd", state.instant, state.ahead, state.count, state.livesUntil)
end

local function countAt(state, params, at)
  return floor(state.instant / params.span) == floor(at / params.span) and state.count or 0
end

local function heal(state, params, now)
  return clock.healClock(state, now)
end

local function fits(state, params, cost, now)
  local count = state == nil and 0 or countAt(state, params, ownTime(state, now))
  return count + cost <= params.limit
end

local function judge(state, params, cost, now)
  local limit, span = params.limit, params.span
  local at = state == nil and now or ownTime(state, now)
  local count = state == nil and 0 or countAt(state, params, at)
  local ahead = state == nil and 0 or state.ahead
  local untilEnd = ceil(((floor(at / span) + 1) * span - ahead - now) / 1000)
  local allowed = count + cost <= limit
  local retryAfterMs = allowed and 0 or cost > limit and INFINITY or untilEnd
  local resetAfterMs = count == 0 and 0 or untilEnd
  return limit - count, retryAfterMs, resetAfterMs
end

local function charge(state, params, cost, now)
  state = state or { instant = 0, ahead = 0, count = 0, livesUntil = 0 }
  local at = ownTime(state, now)
  local count = countAt(state, params, at)
  if count == 0 then state.ahead = 0 end
  state.instant = count == 0 and now or at
  state.count = min(params.limit, count + cost)
  return state
end

local function refund(state, params, cost, now, age)
  local at = ownTime(state, now)
  local stillCounts = floor((at - age) / params.span) == floor(at / params.span)
  state.count = max(0, countAt(state, params, at) - (stillCounts and cost or 0))
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
