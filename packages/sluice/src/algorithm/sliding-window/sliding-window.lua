-- Sliding window: counts in buckets of one precision; a bucket is forgotten as a whole.
-- State: a ring of (when a bucket was last charged, running count), ahead, forgotten, generation. While it is loaded, also the
-- largest of both columns, latest and total: what is damaged is taken for those, so that it is forgotten last.
local LIMIT, SPAN, PRECISION, MOST_BUCKETS = 1, 2, 3, 4
local ceil, floor, max, min, INFINITY = math.ceil, math.floor, math.max, math.min, math.huge
local ring = use("ring")
local placeOf, forgetOldest, dropRecords, makeRoom, countLeading =
  ring.placeOf, ring.forgetOldest, ring.dropRecords, ring.makeRoom, ring.countLeading
local WIDTH = 2
local LARGEST_RUNNING_COUNT = 2 ^ 51

local function chargedAt(state, index)
  local charged = state:read(placeOf(state, index, WIDTH))
  return charged <= state.latest and charged or state.latest
end

local function bucketAt(state, params, index)
  return floor(chargedAt(state, index) / params[PRECISION])
end

local function endOf(state, params, index)
  return bucketAt(state, params, index) * params[PRECISION] + params[SPAN]
end

local function reachedAt(state, index)
  if index < 0 then return state.forgotten end
  local reached = state:read(placeOf(state, index, WIDTH) + 1)
  return reached >= state.forgotten and reached <= state.total and reached % 1 == 0 and reached or state.total
end

-- The running count before this bucket; where that and the next are out of order, nothing is known to be gone.
local function reachedBefore(state, index)
  local reached = reachedAt(state, index - 1)
  if index == 0 or index == state.count or reached < reachedAt(state, index) then return reached end
  return state.forgotten
end

local function setReached(state, index, reached)
  state:write(placeOf(state, index, WIDTH) + 1, reached)
end

local function instantOf(state, now)
  return state.count == 0 and now or max(now + state.ahead, chargedAt(state, state.count - 1))
end

local function deadBuckets(state, params, at)
  if state.count == 0 or endOf(state, params, 0) > at then return 0 end
  return countLeading(state.count, function(index)
    return endOf(state, params, index) <= at
  end)
end

local function forget(state, buckets)
  if buckets == 0 then return end
  state.forgotten = max(state.forgotten, reachedBefore(state, buckets))
  forgetOldest(state, buckets, WIDTH)
end

local function rebase(state)
  if state.forgotten < LARGEST_RUNNING_COUNT then return end
  for index = 0, state.count - 1 do
    setReached(state, index, reachedAt(state, index) - state.forgotten)
  end
  state.total = state.total - state.forgotten
  state.forgotten = 0
end

local function saturate(state, limit)
  local excess = reachedAt(state, state.count - 1) - limit
  if excess <= state.forgotten then return end
  state.generation = 0
  forget(state, countLeading(state.count, function(index)
    return reachedAt(state, index) <= excess
  end))
  state.forgotten = excess
end

local function isSound(state, params, now)
  if state.count == 0 then return true end
  state.latest, state.total = state:readPair(placeOf(state, state.count - 1, WIDTH))
  local units = state.total - state.forgotten
  return state.latest - state.ahead - now <= LARGEST_STEP and units > 0 and units <= params[LIMIT] and units % 1 == 0
end

local function longest(params)
  return params[SPAN]
end

local function heal(state, params, now)
  local at = instantOf(state, now)
  if at - (now + state.ahead) <= LARGEST_STEP_WAITED_OUT then return false end
  state.ahead = at - now
  state.generation = 0
  return true
end

local function fits(state, params, cost, now)
  local dead = deadBuckets(state, params, instantOf(state, now))
  return reachedAt(state, state.count - 1) - reachedBefore(state, dead) + cost <= params[LIMIT]
end

local function judge(state, params, cost, now)
  local limit = params[LIMIT]
  local dead = deadBuckets(state, params, instantOf(state, now))
  local before = reachedBefore(state, dead)
  local live = reachedAt(state, state.count - 1) - before
  local excess = live + cost - limit

  local retryAfterMs = 0
  if cost > limit then
    retryAfterMs = INFINITY
  elseif excess > 0 then
    local enough = dead + countLeading(state.count - 1 - dead, function(index)
      return reachedAt(state, dead + index) - before < excess
    end)
    retryAfterMs = ceil((endOf(state, params, enough) - state.ahead - now) / 1000)
  end

  local resetAfterMs = 0
  if live > 0 then
    resetAfterMs = max(1, ceil((endOf(state, params, state.count - 1) - state.ahead - now) / 1000))
  end
  return limit - live, retryAfterMs, resetAfterMs
end

local function charge(state, params, cost, now)
  forget(state, deadBuckets(state, params, instantOf(state, now)))
  if state.count == 0 then
    state.ahead = 0
    state.forgotten = 0
  end
  local units = min(cost, params[LIMIT])
  if units == 0 then return end
  if units < cost or state.count == 0 then state.generation = 0 end
  local at = instantOf(state, now)
  local reached = reachedAt(state, state.count - 1) + units
  local bucket = floor(at / params[PRECISION])
  if state.count == 0 or bucketAt(state, params, state.count - 1) ~= bucket then
    if state.count == params[MOST_BUCKETS] then
      forget(state, 1)
      state.generation = 0
    end
    makeRoom(state, 1, params[MOST_BUCKETS], WIDTH)
    state.count = state.count + 1
  end
  state.latest, state.total = at, reached
  state:write(placeOf(state, state.count - 1, WIDTH), at)
  setReached(state, state.count - 1, reached)
  saturate(state, params[LIMIT])
  rebase(state)
end

local function refund(state, params, cost, now, charged, chargedOn)
  forget(state, deadBuckets(state, params, instantOf(state, now)))
  local bucket = floor((chargedOn + state.ahead) / params[PRECISION])
  local index = countLeading(state.count, function(earlier)
    return bucketAt(state, params, earlier) < bucket
  end)
  if index == state.count or bucketAt(state, params, index) ~= bucket then return end
  local held = max(0, reachedAt(state, index) - reachedAt(state, index - 1))
  local units = min(cost, held)
  for later = index, state.count - 1 do
    setReached(state, later, reachedAt(state, later) - units)
  end
  state.total = state.total - units
  if units == held then dropRecords(state, index, 1, WIDTH) end
end

return {
  parameters = 4,
  numbers = { "ahead", "forgotten", "generation" },
  width = WIDTH,
  most = MOST_BUCKETS,
  isSound = isSound,
  longest = longest,
  heal = heal,
  fits = fits,
  judge = judge,
  charge = charge,
  refund = refund,
}
