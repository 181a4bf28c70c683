-- AR(1): an exponential memory; one number that fades by a fixed share at each slot.
-- State: instant, ahead, value, livesUntil. Params: limit, precision, decay.
local ceil, floor, max, min, INFINITY = math.ceil, math.floor, math.max, math.min, math.huge
local clock = use("own-clock")
local ownTime = clock.ownTime
local NEGLIGIBLE = 1e-6
local UNUSED = { instant = 0, ahead = 0, value = 0 }

local function params(list, at)
  return { limit = list[at], precision = list[at + 1], decay = list[at + 2] }, at + 3
end

local function decode(text)
  if #text ~= 32 then return nil end
  local instant, ahead, value, livesUntil = struct.unpack("<dddd", text)
  return { instant = instant, ahead = ahead, value = value, livesUntil = livesUntil }
end

local function encode(state)
  return struct.pack("<dddd", state.instant, state.ahead, state.value, state.livesUntil)
end

local function power(base, exponent)
  local result = 1
  local factor = base
  local left = exponent
  while left > 0 do
    if left % 2 == 1 then result = result * factor end
    factor = factor * factor
    left = floor(left / 2)
  end
  return result
end

local function slotAt(instant, params)
  return floor(instant / params.precision)
end

local function valueAt(state, params, slot)
  local value = state.value * power(params.decay, slot - slotAt(state.instant, params))
  return value < NEGLIGIBLE and 0 or value
end

-- The logarithm only guesses; the same arithmetic that will judge then settles it.
local function slotBelow(state, params, slot, target)
  local function faded(later)
    return valueAt(state, params, later) <= target
  end
  local found = slot + 1
  if params.decay > 0 then
    local ratio = max(target, NEGLIGIBLE) / state.value
    local fading = ceil(math.log(ratio) / math.log(params.decay))
    found = max(found, slotAt(state.instant, params) + fading)
  end
  while not faded(found) do found = found + 1 end
  while found > slot + 1 and faded(found - 1) do found = found - 1 end
  return found
end

local function heal(state, params, now)
  return clock.healClock(state, now)
end

local function fits(state, params, cost, now)
  state = state or UNUSED
  return valueAt(state, params, slotAt(ownTime(state, now), params)) + cost <= params.limit
end

local function judge(state, params, cost, now)
  state = state or UNUSED
  local limit, precision = params.limit, params.precision
  local slot = slotAt(ownTime(state, now), params)
  local value = valueAt(state, params, slot)
  local allowed = value + cost <= limit
  local function startOf(later)
    return ceil((later * precision - state.ahead - now) / 1000)
  end

  local retryAfterMs = 0
  if cost > limit then
    retryAfterMs = INFINITY
  elseif not allowed then
    retryAfterMs = startOf(slotBelow(state, params, slot, limit - cost))
  end

  local resetAfterMs = value == 0 and 0 or startOf(slotBelow(state, params, slot, 0))
  return max(0, floor(limit - value)), retryAfterMs, resetAfterMs
end

local function charge(state, params, cost, now)
  state = state or { instant = 0, ahead = 0, value = 0, livesUntil = 0 }
  local at = ownTime(state, now)
  local value = valueAt(state, params, slotAt(at, params))
  if value == 0 then state.ahead = 0 end
  state.instant = value == 0 and now or at
  state.value = min(params.limit, value + cost)
  return state
end

local function refund(state, params, cost, now, age)
  local at = ownTime(state, now)
  local slot = slotAt(at, params)
  local left = cost * power(params.decay, slot - slotAt(at - age, params))
  state.value = max(0, valueAt(state, params, slot) - left)
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
