-- AR(1): an exponential memory; one number that fades by a fixed share at each slot.
local INSTANT, AHEAD, GENERATION, VALUE = 5, 6, 7, 8
local LIMIT, PRECISION, DECAY = 1, 2, 3
local ceil, floor, max, min, INFINITY = math.ceil, math.floor, math.max, math.min, math.huge
local clock = use("own-clock")
local ownTime, healClock, restartClock, isSoundClock =
  clock.ownTime, clock.healClock, clock.restartClock, clock.isSoundClock
local NEGLIGIBLE = 1e-6

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
  return floor(instant / params[PRECISION])
end

local function valueAt(state, params, slot)
  local value = state[VALUE] * power(params[DECAY], slot - slotAt(state[INSTANT], params))
  return value < NEGLIGIBLE and 0 or value
end

-- The logarithm only guesses; the same arithmetic that will judge then settles it.
local function slotBelow(state, params, slot, target)
  local function faded(later)
    return valueAt(state, params, later) <= target
  end
  local found = slot + 1
  if params[DECAY] > 0 then
    local ratio = max(target, NEGLIGIBLE) / state[VALUE]
    local fading = ceil(math.log(ratio) / math.log(params[DECAY]))
    found = max(found, slotAt(state[INSTANT], params) + fading)
  end
  while not faded(found) do found = found + 1 end
  while found > slot + 1 and faded(found - 1) do found = found - 1 end
  return found
end

local function isSound(state, params, now)
  local value = state[VALUE]
  return isSoundClock(state, now) and value >= 0 and value <= params[LIMIT]
end

-- From the largest limit to nothing: ln(2^53 / 1e-6) spans, which are 51.
local function longest(params)
  return 52 * params[PRECISION] / (1 - params[DECAY])
end

local function heal(state, params, now)
  return healClock(state, now)
end

local function fits(state, params, cost, now)
  return valueAt(state, params, slotAt(ownTime(state, now), params)) + cost <= params[LIMIT]
end

local function judge(state, params, cost, now)
  local limit, precision = params[LIMIT], params[PRECISION]
  local slot = slotAt(ownTime(state, now), params)
  local value = valueAt(state, params, slot)
  local allowed = value + cost <= limit
  local function startOf(later)
    return ceil((later * precision - state[AHEAD] - now) / 1000)
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
  local at = ownTime(state, now)
  local value = valueAt(state, params, slotAt(at, params))
  if value == 0 then restartClock(state, now) else state[INSTANT] = at end
  if value + cost > params[LIMIT] then state[GENERATION] = 0 end
  state[VALUE] = min(params[LIMIT], value + cost)
end

local function refund(state, params, cost, now, charged, chargedAt)
  local at = ownTime(state, now)
  local slot = slotAt(at, params)
  local left = cost * power(params[DECAY], slot - slotAt(chargedAt + state[AHEAD], params))
  state[VALUE] = max(0, valueAt(state, params, slot) - left)
  state[INSTANT] = at
end

return {
  parameters = 3,
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
