-- GCRA: a bucket that drains continuously, in whole numbers, so that it never drifts.
local INSTANT, DEBT = 5, 6
local PRICE, DRAIN, CAPACITY, UNIT = 1, 2, 3, 4
local ceil, floor, max, min, INFINITY = math.ceil, math.floor, math.max, math.min, math.huge

local function debtAt(state, params, now)
  local passed = now - state[INSTANT]
  if passed <= 0 then return state[DEBT] end
  local debt = state[DEBT] - params[DRAIN] * passed
  return debt > 0 and debt or 0
end

local function heal(state, params, now)
  if state[INSTANT] - now <= LARGEST_STEP_WAITED_OUT then return false end
  state[INSTANT] = now
  return true
end

local function fits(state, params, cost, now)
  local debt, passed = state[DEBT], now - state[INSTANT]
  if passed > 0 then debt = debt - params[DRAIN] * passed end
  return cost * params[PRICE] <= params[CAPACITY] - (debt > 0 and debt or 0)
end

local function judge(state, params, cost, now)
  local price, drain, capacity = params[PRICE], params[DRAIN], params[CAPACITY]
  local debt, ahead = state[DEBT], state[INSTANT] - now
  if ahead < 0 then
    debt = debt + drain * ahead
    if debt < 0 then debt = 0 end
    ahead = 0
  end
  local excess = cost * price - (capacity - debt)

  local retryAfterMs = 0
  if cost * price > capacity then
    retryAfterMs = INFINITY
  elseif excess > 0 then
    retryAfterMs = ceil((ahead + ceil(excess / drain)) / 1000)
  end

  local resetAfterMs = debt == 0 and 0 or ceil((ahead + ceil(debt / drain)) / 1000)
  return floor((capacity - debt) / params[UNIT]), retryAfterMs, resetAfterMs
end

local function charge(state, params, cost, now)
  local debt, passed = state[DEBT], now - state[INSTANT]
  if passed > 0 then
    debt = debt - params[DRAIN] * passed
    if debt < 0 then debt = 0 end
    state[INSTANT] = now
  end
  debt = debt + cost * params[PRICE]
  state[DEBT] = debt < params[CAPACITY] and debt or params[CAPACITY]
end

local function refund(state, params, cost, now, age, rest)
  local price, drain = params[PRICE], params[DRAIN]
  local left = min(cost * price, max(0, cost * price - drain * age, drain * rest))
  state[DEBT] = max(0, debtAt(state, params, now) - left)
  if now > state[INSTANT] then state[INSTANT] = now end
end

return {
  parameters = 4,
  format = "<ddd",
  size = 24,
  heal = heal,
  fits = fits,
  judge = judge,
  charge = charge,
  refund = refund,
}
