-- GCRA: a bucket that drains continuously, in whole numbers, so that it never drifts.
local INSTANT, DEBT, GENERATION, GONE, DRAINED = 5, 6, 7, 8, 9
local PRICE, DRAIN, CAPACITY, UNIT = 1, 2, 3, 4
local ROUNDING = 64
local ceil, floor, max, min, INFINITY = math.ceil, math.floor, math.max, math.min, math.huge

local function debtAt(state, params, now)
  local passed = now - state[INSTANT]
  if passed <= 0 then return state[DEBT] end
  local debt = state[DEBT] - params[DRAIN] * passed
  return debt > 0 and debt or 0
end

-- A key without numbers at the end of its name may be asked with others than before, and then has more debt than fits.
local function isSound(state, params)
  local instant, debt, generation = state[INSTANT], state[DEBT], state[GENERATION]
  local gone, drained = state[GONE], state[DRAINED]
  local sound = instant >= 0 and instant <= LARGEST and debt >= 0 and generation >= 0 and generation <= LARGEST
    and gone >= 0 and gone <= LARGEST_MARK and drained >= 0 and drained <= gone
  return sound and (debt <= params[CAPACITY] or debt <= LARGEST and state[KEY]:find("gcra%d+$") ~= nil)
end

local function longest(params)
  return params[CAPACITY] / params[DRAIN]
end

local function heal(state, params, now)
  if state[INSTANT] - now <= LARGEST_STEP_WAITED_OUT then return false end
  state[INSTANT] = now
  state[GENERATION] = 0
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
  local capacity = params[CAPACITY]
  local drained = state[DRAINED] + state[DEBT] - debt
  local gone = state[GONE] + state[DEBT] - debt
  if debt == 0 or gone + capacity > LARGEST_MARK then
    gone = 0
    drained = 0
    state[GENERATION] = 0
  end
  state[GONE] = gone
  state[DRAINED] = drained
  debt = debt + cost * params[PRICE]
  if debt > capacity then state[GENERATION] = 0 end
  state[DEBT] = debt < capacity and debt or capacity
end

local function mark(state)
  return state[GONE] + state[DEBT]
end

local function refund(state, params, cost, now, charged, chargedAt, mark)
  local price, drain = params[PRICE], params[DRAIN]
  local at = max(now, state[INSTANT])
  local debt = debtAt(state, params, now)
  local gone = state[GONE] + state[DEBT] - debt
  local drained = state[DRAINED] + state[DEBT] - debt
  local rounding = mark > LARGEST - 1 and ROUNDING or 0
  local left = max(0, mark - gone - rounding, cost * price - drain * (at - chargedAt))
  local lost = min(drained, cost * price - min(left, cost * price))
  local given = min(debt, cost * price - lost)
  local fromEnd = cost == charged and mark == gone + debt
  state[DEBT] = debt - given
  state[GONE] = fromEnd and gone or gone + given
  state[DRAINED] = drained - lost
  state[INSTANT] = at
end

return {
  parameters = 4,
  format = "<dddddd",
  size = 48,
  isSound = isSound,
  longest = longest,
  heal = heal,
  fits = fits,
  judge = judge,
  charge = charge,
  refund = refund,
  mark = mark,
}
