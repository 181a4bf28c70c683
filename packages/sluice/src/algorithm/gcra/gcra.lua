-- GCRA: a bucket that drains continuously, in whole numbers, so that it never drifts.
-- State: instant, debt, livesUntil. Params: price, drain, capacity.
local ceil, floor, max, INFINITY = math.ceil, math.floor, math.max, math.huge

local function params(list, at)
  return { price = list[at], drain = list[at + 1], capacity = list[at + 2] }, at + 3
end

local function decode(text)
  if #text ~= 24 then return nil end
  local instant, debt, livesUntil = struct.unpack("<ddd", text)
  return { instant = instant, debt = debt, livesUntil = livesUntil }
end

local function encode(state)
  return struct.pack("<ddd", state.instant, state.debt, state.livesUntil)
end

local function debtAt(state, params, now)
  if state == nil then return 0 end
  local passed = now - state.instant
  if passed <= 0 then return state.debt end
  local debt = state.debt - params.drain * passed
  return debt > 0 and debt or 0
end

local function heal(state, params, now)
  if state.instant - now <= LARGEST_STEP_WAITED_OUT then return false end
  state.instant = now
  return true
end

local function fits(state, params, cost, now)
  return debtAt(state, params, now) + cost * params.price <= params.capacity
end

local function judge(state, params, cost, now)
  local price, drain, capacity = params.price, params.drain, params.capacity
  local debt = debtAt(state, params, now)
  local excess = debt + cost * price - capacity
  local ahead = state == nil and 0 or state.instant - now
  if ahead < 0 then ahead = 0 end

  local retryAfterMs = 0
  if cost * price > capacity then
    retryAfterMs = INFINITY
  elseif excess > 0 then
    retryAfterMs = ceil((ahead + ceil(excess / drain)) / 1000)
  end

  local resetAfterMs = debt == 0 and 0 or ceil((ahead + ceil(debt / drain)) / 1000)
  return floor((capacity - debt) / price), retryAfterMs, resetAfterMs
end

local function charge(state, params, cost, now)
  state = state or { instant = 0, debt = 0, livesUntil = 0 }
  local debt = debtAt(state, params, now) + cost * params.price
  state.debt = debt < params.capacity and debt or params.capacity
  if now > state.instant then state.instant = now end
  return state
end

local function refund(state, params, cost, now, age)
  local left = max(0, cost * params.price - params.drain * age)
  state.debt = max(0, debtAt(state, params, now) - left)
  state.instant = max(now, state.instant)
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
