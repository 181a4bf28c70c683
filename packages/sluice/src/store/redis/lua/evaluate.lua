-- Decides a batch of requests, in order, at one instant. The only file that calls Redis.
--
-- KEYS: the keys of all checks of all requests, in order.
-- ARGV[1]: a flat JSON list, since every nested one costs time:
--   generation  the first of the generations that states may begin, which no other call has
--   shapes     how many, and of each, what all requests of one rule have in common: countRefused; how many
--              checks, and of each the algorithm and its parameters; the length of the tree, and the tree, each
--              branch before its parts: "and" or "or", how many parts, the parts. A leaf is the number of a check
--              from 0, or -1 for a limit that does not apply. No tree at all stands for the only check.
--   requests   until the end, operation, shape from 1, cost, and how many such requests in a row; of a REFUND also
--              the cost and the instant of the charge that is given back, and for each check the generation of its
--              state, or -1 where the check gives nothing back, and its mark.
--   or, for a single request to decide on a single check, its algorithm, parameters, cost and generation.
-- ARGV[2], ARGV[3]: where the time is not Redis's own: now in microseconds, and the shortest life of a key in ms.
-- Result: for each request three whole numbers for each check: remaining, retryAfterMs and resetAfterMs, with -1 for
--   infinity. A check that was charged and fits has -2 less the generation of its state for retryAfterMs and, where its
--   algorithm marks charges, the mark as a fourth number. A RESET has no result. One text stands instead of all that for a request whose state cannot be read.
--   Behind them all stands the instant.

local call, try, pack, unpack, type, INFINITY = redis.call, redis.pcall, struct.pack, struct.unpack, type, math.huge
local list = cjson.decode(ARGV[1])
local now, shortestLife = ARGV[2], 0
if now then
  now, shortestLife = tonumber(now), tonumber(ARGV[3])
else
  local time = call("TIME")
  now = time[1] * 1000000 + time[2]
end

-- In milliseconds. A key is given more life than it needs, so that most writes need not set it again: a short one eight
-- times as much, a long one twice.
local function lifeFor(resetAfterMs)
  local lifeMs = (resetAfterMs <= SHORT_NEED and 8 or 2) * resetAfterMs
  return lifeMs > shortestLife and lifeMs or shortestLife
end

-- A single request on a single gcra limit has so little to do that it would cost mostly the functions and tables that
-- it makes. So this is gcra.lua, with the reading and writing around it, once more and in numbers alone. Anything out of
-- the ordinary is left to what follows.
if list[1] == "gcra" then
  local key, price, drain, capacity, unit, cost = KEYS[1], list[2], list[3], list[4], list[5], list[6]
  local text = try("GET", key)
  local livesUntil, instant, debt, generation, gone, drained, ordinary = 0, 0, 0, 0, 0, 0, not text
  if type(text) == "string" and #text == 48 then
    livesUntil, instant, debt, generation, gone, drained = unpack("<dddddd", text)
    ordinary = instant >= 0 and instant - now <= LARGEST_STEP_WAITED_OUT and debt >= 0 and debt <= capacity
      and generation >= 0 and generation <= LARGEST and gone >= 0 and gone <= LARGEST_MARK
      and drained >= 0 and drained <= gone
  end
  if ordinary then
    local ahead, stored = instant - now, debt
    if ahead < 0 then
      debt = debt + drain * ahead
      if debt < 0 then debt = 0 end
      ahead, instant = 0, now
    end
    local excess, ceil = cost * price - (capacity - debt), math.ceil
    if excess <= 0 then
      drained, gone = drained + stored - debt, gone + stored - debt
      if debt == 0 or gone + capacity > LARGEST_MARK then
        gone, drained, generation = 0, 0, 0
      end
      if generation == 0 then generation = list[7] end
      debt = debt + cost * price
    end
    local resetAfterMs = debt == 0 and 0 or ceil((ahead + ceil(debt / drain)) / 1000)
    local remaining, retryAfterMs = math.floor((capacity - debt) / unit), -2 - generation
    if excess > 0 then
      retryAfterMs = cost * price > capacity and -1 or ceil((ahead + ceil(excess / drain)) / 1000)
    elseif
      livesUntil >= now + 1000 * resetAfterMs
      and livesUntil <= now + 8 * (capacity / drain + WAITED_OUT_AND_ROUNDED) + 1000 * shortestLife
    then
      call("SETRANGE", key, "0", pack("<dddddd", livesUntil, instant, debt, generation, gone, drained))
    else
      local lifeMs = lifeFor(resetAfterMs)
      call("SET", key, pack("<dddddd", now + 1000 * lifeMs, instant, debt, generation, gone, drained), "PX", lifeMs)
    end
    if excess > 0 then return { remaining, retryAfterMs, resetAfterMs, now } end
    return { remaining, retryAfterMs, resetAfterMs, gone + debt, now }
  end
end

--@ use(name): the algorithm of that name, made when first asked for. The build puts it here.

local loadRing

-- The state behind a key; or nil and why it cannot be read. What is no state of ours counts as none.
local function load(key, counter)
  local algorithm = counter.algorithm
  if not algorithm.format then
    loadRing = loadRing or use("stored-ring")(call, try, now)
    return loadRing(key, counter)
  end
  local text = try("GET", key)
  if type(text) == "table" then return nil, text.err end
  if not text or #text ~= algorithm.size then return { key, counter, false, 0, 0, 0, 0, 0, 0 } end
  local livesUntil, one, two, three, four, five = unpack(algorithm.format, text)
  local state = { key, counter, false, livesUntil, one, two, three, four, five }
  return algorithm.isSound(state, counter.params, now) and state or { key, counter, false, 0, 0, 0, 0, 0, 0 }
end

-- The offset is text, since Redis writes numbers out at some cost.
local function save(state)
  local key, algorithm, resetAfterMs = state[KEY], state[COUNTER].algorithm, state[RESET_AFTER]
  if resetAfterMs == 0 then
    call("DEL", key)
    return
  end
  local livesUntil, lifeMs = state[LIVES_UNTIL], nil
  if not (livesUntil >= now + 1000 * resetAfterMs and livesUntil <= state[COUNTER].livesUntil) then
    lifeMs = lifeFor(resetAfterMs)
    state[LIVES_UNTIL] = now + 1000 * lifeMs
  end
  if not algorithm.format then return state:save(lifeMs) end
  local text = pack(algorithm.format, state[4], state[5], state[6], state[7], state[8], state[9])
  if lifeMs then call("SET", key, text, "PX", lifeMs) else call("SETRANGE", key, "0", text) end
end

-- A counter is an algorithm with its parameters, and until when a key of it may live at most: an instant beyond that is
-- none that was written. Behind it, the next place of the list.
local function counterAt(place)
  local algorithm = use(list[place])
  local params = { list[place + 1], list[place + 2], list[place + 3], list[place + 4] }
  local livesUntil = now + 8 * (algorithm.longest(params) + WAITED_OUT_AND_ROUNDED) + 1000 * shortestLife
  return { algorithm = algorithm, params = params, livesUntil = livesUntil }, place + 1 + algorithm.parameters
end

-- The generation of a state that was charged; one that has none begins the next.
local generation
local function generationOf(state)
  local place = state[COUNTER].algorithm.format and GENERATION or "generation"
  local known = state[place]
  if known ~= 0 then return known end
  state[place] = generation
  generation = generation + 1
  return generation - 1
end

-- A single request on a single limit of another algorithm is spared all that follows.
if type(list[1]) == "string" then
  local counter, place = counterAt(1)
  local algorithm, params, cost = counter.algorithm, counter.params, list[place]
  generation = list[place + 1]
  local state, failure = load(KEYS[1], counter)
  if failure then return { failure } end
  local healed = algorithm.heal(state, params, now)
  local fits = algorithm.fits(state, params, cost, now)
  if fits then algorithm.charge(state, params, cost, now) end
  local remaining, retryAfterMs, resetAfterMs = algorithm.judge(state, params, cost, now)
  if fits then
    retryAfterMs = -2 - generationOf(state)
  elseif retryAfterMs == INFINITY then
    retryAfterMs = -1
  end
  if fits or healed then
    state[RESET_AFTER] = resetAfterMs
    save(state)
  end
  if fits and algorithm.mark then return { remaining, retryAfterMs, resetAfterMs, algorithm.mark(state), now } end
  return { remaining, retryAfterMs, resetAfterMs, now }
end

local DECIDE, REFUND, RESET = 0, 2, 3
-- For a plan whose checks are in several places: charge what fits, if only what is elsewhere can still refuse; and
-- charge without asking.
local HOLD, CHARGE = 4, 5

generation = list[1]
local shapes, place = {}, 3
for number = 1, list[2] do
  local counters, countRefused = {}, list[place]
  local checks = list[place + 1]
  place = place + 2
  for check = 1, checks do
    counters[check], place = counterAt(place)
  end
  shapes[number] = { countRefused = countRefused, counters = counters, tree = list[place] > 0 and place + 1 }
  place = place + 1 + list[place]
end

-- By key and in order, what was read, once for the whole batch. What has a RESET_AFTER then is written at its end.
local states, loaded, failures, count = {}, {}, {}, 0

local function enter(key, counter)
  local state, failure = load(key, counter)
  if failure then
    failures[key] = failure
    return nil
  end
  states[key] = state
  count = count + 1
  loaded[count] = state
  local algorithm, params = counter.algorithm, counter.params
  if algorithm.heal(state, params, now) then
    local _, _, resetAfterMs = algorithm.judge(state, params, 1, now)
    state[RESET_AFTER] = resetAfterMs
  end
  return state
end

-- Whether the tree at this place of the list admits, and the place behind it.
local function admits(at, fits)
  local head, parts = list[at], list[at + 1]
  if type(head) == "number" then return head < 0 or fits[head + 1], at + 1 end
  local decisive = head == "and"
  local found, admitted = false, nil
  at = at + 2
  for _ = 1, parts do
    admitted, at = admits(at, fits)
    found = found or admitted == decisive
  end
  return found == decisive, at
end

local keys, replies, replied, before = KEYS, {}, 0, 0

local function reply(value)
  replied = replied + 1
  replies[replied] = value
end

-- How a check stands that was charged and fits.
local function replyCharged(algorithm, state, remaining, resetAfterMs)
  replies[replied + 1] = remaining
  replies[replied + 2] = -2 - generationOf(state)
  replies[replied + 3] = resetAfterMs
  replied = replied + 3
  if algorithm.mark then reply(algorithm.mark(state)) end
end

local function replyJudged(remaining, retryAfterMs, resetAfterMs)
  replies[replied + 1] = remaining
  replies[replied + 2] = retryAfterMs == INFINITY and -1 or retryAfterMs
  replies[replied + 3] = resetAfterMs
  replied = replied + 3
end

-- Requests as nearly all are: to decide on the only check, for so many in a row.
local function decideEach(requests, counter, cost)
  local algorithm, params = counter.algorithm, counter.params
  local fits, charge, judge = algorithm.fits, algorithm.charge, algorithm.judge
  for index = before + 1, before + requests do
    local key = keys[index]
    local state = states[key] or enter(key, counter)
    if state then
      local admitted = fits(state, params, cost, now)
      if admitted then charge(state, params, cost, now) end
      local remaining, retryAfterMs, resetAfterMs = judge(state, params, cost, now)
      if admitted then
        state[RESET_AFTER] = resetAfterMs
        replyCharged(algorithm, state, remaining, resetAfterMs)
      else
        replyJudged(remaining, retryAfterMs, resetAfterMs)
      end
    else
      reply(failures[key])
    end
  end
  before = before + requests
end

local checks, fits = {}, {}

-- To decide on several checks, or on one of which refusals count, for so many requests in a row.
local function decideAll(requests, shape, cost)
  local counters, tree, countRefused = shape.counters, shape.tree, shape.countRefused
  for _ = 1, requests do
    local admitted, unreadable = true, nil
    for check = 1, #counters do
      local key, counter = keys[before + check], counters[check]
      local state = states[key] or enter(key, counter)
      if not state then
        unreadable = key
        break
      end
      local fit = counter.algorithm.fits(state, counter.params, cost, now)
      checks[check], fits[check] = state, fit
      admitted = admitted and fit
    end
    if unreadable then
      reply(failures[unreadable])
    else
      -- Where all fit, every tree admits.
      if tree and not admitted then admitted = admits(tree, fits) end
      local charges = admitted or countRefused
      for check = 1, #counters do
        local state, counter = checks[check], counters[check]
        local algorithm, params = counter.algorithm, counter.params
        if charges then algorithm.charge(state, params, cost, now) end
        local remaining, retryAfterMs, resetAfterMs = algorithm.judge(state, params, cost, now)
        if charges then state[RESET_AFTER] = resetAfterMs end
        if admitted and fits[check] then
          replyCharged(algorithm, state, remaining, resetAfterMs)
        else
          replyJudged(remaining, retryAfterMs, resetAfterMs)
        end
      end
    end
    before = before + #counters
  end
end

-- What was read before is not to be written after.
local function reset(key)
  call("DEL", key)
  if states[key] then states[key][KEY] = false end
  states[key] = nil
end

-- Any other request, on the keys behind `before`. Of a REFUND, what was charged stands at this place of the list.
local function answer(operation, shape, cost, charge)
  local counters = shape.counters
  for check = 1, #counters do
    local key, counter = keys[before + check], counters[check]
    local state = states[key] or enter(key, counter)
    if not state then return reply(failures[key]) end
    checks[check] = state
    fits[check] = operation == HOLD and counter.algorithm.fits(state, counter.params, cost, now)
  end
  local admitted = fits[1]
  if operation == HOLD and shape.tree then admitted = admits(shape.tree, fits) end
  for check = 1, #counters do
    local state, counter = checks[check], counters[check]
    local algorithm, params = counter.algorithm, counter.params
    local held = admitted and fits[check]
    if held or operation == CHARGE then
      algorithm.charge(state, params, cost, now)
    elseif operation == REFUND and list[charge + 2 * check] == state[algorithm.format and GENERATION or "generation"] then
      algorithm.refund(state, params, cost, now, list[charge], list[charge + 1], list[charge + 1 + 2 * check])
    end
    local remaining, retryAfterMs, resetAfterMs = algorithm.judge(state, params, cost, now)
    if operation == REFUND and resetAfterMs == 0 then
      reset(keys[before + check])
    elseif held or operation == CHARGE or operation == REFUND then
      state[RESET_AFTER] = resetAfterMs
    end
    if held then
      replyCharged(algorithm, state, remaining, resetAfterMs)
    else
      replyJudged(remaining, retryAfterMs, resetAfterMs)
    end
  end
end

local last = #list
while place <= last do
  local operation, shape, cost, requests = list[place], shapes[list[place + 1]], list[place + 2], list[place + 3]
  local counters, charge = shape.counters, place + 4
  place = charge
  if operation == REFUND then place = charge + 2 + 2 * #counters end
  if operation == DECIDE and (shape.tree or shape.countRefused) then
    decideAll(requests, shape, cost)
  elseif operation == DECIDE then
    decideEach(requests, counters[1], cost)
  elseif operation == RESET then
    for index = before + 1, before + requests * #counters do reset(keys[index]) end
    before = before + requests * #counters
  else
    for _ = 1, requests do
      answer(operation, shape, cost, charge)
      before = before + #counters
    end
  end
end

for index = 1, count do
  local state = loaded[index]
  if state[KEY] and state[RESET_AFTER] then save(state) end
end

reply(now)
return replies
