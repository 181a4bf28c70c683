-- Sliding log: the instant of every unit, in a ring, so that any limit costs the same.
-- State: a ring of instants, ahead, newest (the instant stored last: spares a read), generation.
local LIMIT, SPAN = 1, 2
local ceil, max, min, INFINITY = math.ceil, math.max, math.min, math.huge
local ring = use("ring")
local placeOf, forgetOldest, dropRecords, makeRoom, countLeading =
  ring.placeOf, ring.forgetOldest, ring.dropRecords, ring.makeRoom, ring.countLeading
local WIDTH = 1

local function instantAt(state, index)
  local instant = state:read(placeOf(state, index, WIDTH))
  return (instant <= state.newest and instant or state.newest) - state.ahead
end

local function instantOf(state, now)
  return state.count == 0 and now or max(now, state.newest - state.ahead)
end

local function deadUnits(state, params, at)
  local span = params[SPAN]
  if state.count == 0 or instantAt(state, 0) + span > at then return 0 end
  return countLeading(state.count, function(index)
    return instantAt(state, index) + span <= at
  end)
end

local function forget(state, units)
  if units == 0 then return end
  forgetOldest(state, units, WIDTH)
  if state.count == 0 then state.ahead = 0 end
end

-- The units themselves are not looked at: one that is not older than the newest is taken for as old.
local function isSound(state, params, now)
  return state.newest - state.ahead - now <= LARGEST_STEP
end

local function longest(params)
  return params[SPAN]
end

local function heal(state, params, now)
  local ahead = instantOf(state, now) - now
  if ahead <= LARGEST_STEP_WAITED_OUT then return false end
  state.ahead = state.ahead + ahead
  state.generation = 0
  return true
end

local function fits(state, params, cost, now)
  return state.count - deadUnits(state, params, instantOf(state, now)) + cost <= params[LIMIT]
end

local function judge(state, params, cost, now)
  local limit, span = params[LIMIT], params[SPAN]
  local dead = deadUnits(state, params, instantOf(state, now))
  local live = state.count - dead
  local excess = live + cost - limit

  local retryAfterMs = 0
  if cost > limit then
    retryAfterMs = INFINITY
  elseif excess > 0 then
    retryAfterMs = ceil((instantAt(state, dead + excess - 1) + span - now) / 1000)
  end

  local resetAfterMs = live == 0 and 0 or ceil((state.newest - state.ahead + span - now) / 1000)
  return limit - live, retryAfterMs, resetAfterMs
end

local function append(state, units, instant)
  if units == 0 then return end
  local place = placeOf(state, state.count, WIDTH)
  if units == 1 then
    state:write(place, instant)
  else
    local untilEnd = min(units, state.capacity - place)
    state:fill(place, untilEnd, instant)
    if units > untilEnd then state:fill(0, units - untilEnd, instant) end
  end
  state.count = state.count + units
  state.newest = instant
end

local function charge(state, params, cost, now)
  local at = instantOf(state, now)
  forget(state, deadUnits(state, params, at))
  local units = min(cost, params[LIMIT])
  if state.count + cost > params[LIMIT] then state.generation = 0 end
  forget(state, max(0, state.count + units - params[LIMIT]))
  if state.count == 0 then state.generation = 0 end
  makeRoom(state, units, params[LIMIT], WIDTH)
  append(state, units, at + state.ahead)
end

local function refund(state, params, cost, now, charged, chargedAt)
  forget(state, deadUnits(state, params, instantOf(state, now)))
  local newest = state.count - 1
  local later = countLeading(state.count, function(index)
    return instantAt(state, newest - index) > chargedAt
  end)
  local last = newest - later
  local units = countLeading(min(cost, last + 1), function(index)
    return instantAt(state, last - index) == chargedAt
  end)
  dropRecords(state, last + 1 - units, units, WIDTH)
  if state.count > 0 then state.newest = state:read(placeOf(state, state.count - 1, WIDTH)) end
end

return {
  parameters = 2,
  numbers = { "ahead", "newest", "generation" },
  width = WIDTH,
  most = LIMIT,
  isSound = isSound,
  longest = longest,
  heal = heal,
  fits = fits,
  judge = judge,
  charge = charge,
  refund = refund,
}
