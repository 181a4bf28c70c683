-- Decides a batch of requests, in order, at one instant. The only file that calls Redis.
--
-- KEYS: the keys of all checks of all requests, in order.
-- ARGV[1]: a flat JSON list, since every nested one costs time:
--   shapes     how many, and of each, what all requests of one rule have in common: countRefused; how many
--              checks, and of each the algorithm and its parameters; the length of the tree, and the tree, each
--              branch before its parts: "and" or "or", how many parts, the parts. A leaf is the number of a check
--              from 0, or -1 for a limit that does not apply. No tree at all stands for the only check.
--   requests   until the end, operation, shape from 1, cost, and how many such requests in a row; of a REFUND also
--              the instant at which was charged what is given back, or -1 for just now.
--   or, for a single request to decide on a single check, its algorithm, parameters and cost.
-- ARGV[2], ARGV[3]: where the time is not Redis's own: now in microseconds, and the shortest life of a key in ms.
-- Result: for each request three whole numbers for each check: remaining, retryAfterMs (0 when it fits) and
--   resetAfterMs, with -1 for infinity. Before those of a HOLD stands the instant. A RESET has no result. One text
--   stands instead of all that for a request whose state cannot be read.

local call = redis.call
local list = cjson.decode(ARGV[1])
local now, shortestLife = ARGV[2], 0
if now then
  now, shortestLife = tonumber(now), tonumber(ARGV[3])
else
  local time = call("TIME")
  now = time[1] * 1000000 + time[2]
end

-- A ring in a string: a header of numbers, then the places. Places are read when asked for and written at the
-- end, so that a request touches a few bytes however long the string is.
local function storedRings()
  local pack, unpack, floor = struct.pack, struct.unpack, math.floor
  local HEADER_FORMAT, HEADER_SIZE, LARGEST_CAPACITY = "<dddddd", 48, 2 ^ 26
  local Ring = {}
  Ring.__index = Ring

  function Ring:read(place)
    local value = self.known[place]
    if value == nil then
      local offset = HEADER_SIZE + 8 * place
      local text = call("GETRANGE", self.key, offset, offset + 7)
      value = #text == 8 and unpack("<d", text) or 0
      self.known[place] = value
    end
    return value
  end

  -- Writes are gathered in runs of neighbouring places.
  function Ring:write(place, value)
    self.known[place] = value
    local run = self.runs[#self.runs]
    if run == nil or place < run.first or place > run.last + 1 then
      self.runs[#self.runs + 1] = { first = place, last = place }
    elseif place > run.last then
      run.last = place
    end
  end

  function Ring:writeRuns()
    for _, run in ipairs(self.runs) do
      local values = {}
      for place = run.first, run.last do values[#values + 1] = pack("<d", self.known[place]) end
      call("SETRANGE", self.key, HEADER_SIZE + 8 * run.first, table.concat(values))
    end
    self.runs = {}
  end

  -- Written anew, in order and with room for more: rarely, and exactly as long as it has to be.
  function Ring:grow(first, count, size)
    self:writeRuns()
    local places = (call("GET", self.key) or ""):sub(HEADER_SIZE + 1)
    local ordered = (places:sub(8 * first + 1) .. places:sub(1, 8 * first)):sub(1, 8 * count)
    local empty = ("\0"):rep(8 * size - #ordered)
    call("SET", self.key, ("\0"):rep(HEADER_SIZE) .. ordered .. empty)
    self.known = {}
    self.livesUntil = 0
  end

  function Ring:header()
    local one, other = self.numbers[1], self.numbers[2]
    return pack(HEADER_FORMAT, self.first, self.count, self.capacity, self.livesUntil, self[one], self[other])
  end

  local function isWhole(value, largest)
    return value >= 0 and value <= largest and value == floor(value)
  end

  return function(key, numbers)
    local text = redis.pcall("GETRANGE", key, 0, HEADER_SIZE - 1)
    if type(text) ~= "string" then return nil, text.err end
    local first, count, capacity, livesUntil, one, other = 0, 0, 0, 0, 0, 0
    if #text == HEADER_SIZE then first, count, capacity, livesUntil, one, other = unpack(HEADER_FORMAT, text) end
    if not (isWhole(capacity, LARGEST_CAPACITY) and isWhole(count, capacity) and isWhole(first, capacity)) then
      first, count, capacity, livesUntil, one, other = 0, 0, 0, 0, 0, 0
    end
    local ring = { key = key, numbers = numbers, first = first, count = count, capacity = capacity, livesUntil = livesUntil, known = {}, runs = {} }
    ring[numbers[1]], ring[numbers[2]] = one, other
    return setmetatable(ring, Ring)
  end
end

local loadRing

-- The state behind a key; or nil and why it cannot be read. Third, whether it was healed and must be written.
local function load(key, algorithm, params)
  local state, failure
  if algorithm.decode then
    local text = redis.pcall("GET", key)
    if type(text) == "string" then state = algorithm.decode(text) elseif text then failure = text.err end
  else
    loadRing = loadRing or storedRings()
    state, failure = loadRing(key, algorithm.numbers)
  end
  return state, failure, state ~= nil and algorithm.heal(state, params, now)
end

-- A key is given twice the life it needs, so that most writes need not set it again.
local function save(key, algorithm, state, resetAfterMs)
  if resetAfterMs == 0 then
    call("DEL", key)
    return
  end
  local lifeMs
  if state.livesUntil < now + 1000 * resetAfterMs then
    lifeMs = 2 * resetAfterMs
    if lifeMs < shortestLife then lifeMs = shortestLife end
    state.livesUntil = now + 1000 * lifeMs
  end
  if algorithm.encode then
    if lifeMs then
      call("SET", key, algorithm.encode(state), "PX", lifeMs)
    else
      call("SETRANGE", key, 0, algorithm.encode(state))
    end
  else
    state:writeRuns()
    call("SETRANGE", key, 0, state:header())
    if lifeMs then call("PEXPIRE", key, lifeMs) end
  end
end

local INFINITY = math.huge

-- The usual call is spared all that follows.
if type(list[1]) == "string" then
  local key, algorithm = KEYS[1], use(list[1])
  local params, place = algorithm.params(list, 2)
  local cost = list[place]
  local state, failure, changed = load(key, algorithm, params)
  if failure then return { failure } end
  local fits = algorithm.fits(state, params, cost, now)
  if fits then
    state = algorithm.charge(state, params, cost, now)
    changed = true
  end
  local remaining, retryAfterMs, resetAfterMs = algorithm.judge(state, params, cost, now)
  if changed then save(key, algorithm, state, resetAfterMs) end
  return { remaining, fits and 0 or retryAfterMs == INFINITY and -1 or retryAfterMs, resetAfterMs }
end

local DECIDE, REFUND, RESET = 0, 2, 3
-- For a plan whose checks are in several places: charge what fits, if only what is elsewhere can still refuse; and
-- charge without asking.
local HOLD, CHARGE = 4, 5

local shapes, place = {}, 2
for number = 1, list[1] do
  local counters, countRefused = {}, list[place]
  local checks = list[place + 1]
  place = place + 2
  for check = 1, checks do
    local algorithm, params = use(list[place]), nil
    params, place = algorithm.params(list, place + 1)
    counters[check] = { algorithm = algorithm, params = params }
  end
  shapes[number] = { countRefused = countRefused, counters = counters, tree = list[place] > 0 and place + 1 }
  place = place + 1 + list[place]
end

-- What is known of a key: read once for the whole batch and, when it has a RESET_AFTER, written once at its end. By
-- number, since a table of names takes three times the memory.
local KEY, COUNTER, STATE, RESET_AFTER, FAILURE = 1, 2, 3, 4, 5
local entries, changes, changed = {}, {}, 0

local function change(entry, resetAfterMs)
  if not entry[RESET_AFTER] then
    changed = changed + 1
    changes[changed] = entry
  end
  entry[RESET_AFTER] = resetAfterMs
end

local function enter(key, counter)
  local algorithm, params = counter.algorithm, counter.params
  local state, failure, healed = load(key, algorithm, params)
  local entry = { key, counter, state, false, failure }
  if healed then
    local _, _, resetAfterMs = algorithm.judge(state, params, 1, now)
    change(entry, resetAfterMs)
  end
  entries[key] = entry
  return entry
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

local function reply(remaining, retryAfterMs, resetAfterMs)
  replies[replied + 1] = remaining
  replies[replied + 2] = retryAfterMs == INFINITY and -1 or retryAfterMs
  replies[replied + 3] = resetAfterMs
  replied = replied + 3
end

local function replyOne(value)
  replied = replied + 1
  replies[replied] = value
end

-- Requests as nearly all are: to decide on the only check.
local function decideOne(key, counter, cost)
  local entry = entries[key] or enter(key, counter)
  if entry[FAILURE] then return replyOne(entry[FAILURE]) end
  local algorithm, params, state = counter.algorithm, counter.params, entry[STATE]
  local fits = algorithm.fits(state, params, cost, now)
  if fits then
    state = algorithm.charge(state, params, cost, now)
    entry[STATE] = state
  end
  local remaining, retryAfterMs, resetAfterMs = algorithm.judge(state, params, cost, now)
  if fits then change(entry, resetAfterMs) end
  reply(remaining, fits and 0 or retryAfterMs, resetAfterMs)
end

local function reset(key)
  call("DEL", key)
  if entries[key] then entries[key][STATE] = nil end
  entries[key] = nil
end

local checks, fits = {}, {}

-- Any other, on the keys behind `before`.
local function answer(operation, shape, cost, age)
  local counters = shape.counters
  local asks = operation == DECIDE or operation == HOLD
  for check = 1, #counters do
    local key, counter = keys[before + check], counters[check]
    local entry = entries[key] or enter(key, counter)
    if entry[FAILURE] then return replyOne(entry[FAILURE]) end
    checks[check] = entry
    fits[check] = asks and counter.algorithm.fits(entry[STATE], counter.params, cost, now)
  end
  if operation == HOLD then replyOne(now) end
  local admitted = fits[1]
  if asks and shape.tree then admitted = admits(shape.tree, fits) end
  local chargeAll = operation == CHARGE or operation == DECIDE and (admitted or shape.countRefused)
  for check = 1, #counters do
    local entry, counter = checks[check], counters[check]
    local algorithm, params, state = counter.algorithm, counter.params, entry[STATE]
    local fitted = admitted and fits[check]
    local changes = true
    if chargeAll or operation == HOLD and fitted then
      state = algorithm.charge(state, params, cost, now)
    elseif operation == REFUND and state then
      state = algorithm.refund(state, params, cost, now, age)
    else
      changes = false
    end
    entry[STATE] = state
    local remaining, retryAfterMs, resetAfterMs = algorithm.judge(state, params, cost, now)
    if changes then change(entry, resetAfterMs) end
    reply(remaining, fitted and 0 or retryAfterMs, resetAfterMs)
  end
end

local last = #list
while place <= last do
  local operation, shape, cost, count = list[place], shapes[list[place + 1]], list[place + 2], list[place + 3]
  local counters, age = shape.counters, 0
  place = place + 4
  if operation == REFUND then
    local chargedAt = list[place]
    if chargedAt >= 0 and chargedAt < now then age = now - chargedAt end
    place = place + 1
  end
  if operation == DECIDE and not shape.tree and not shape.countRefused then
    for index = before + 1, before + count do decideOne(keys[index], counters[1], cost) end
    before = before + count
  elseif operation == RESET then
    for index = before + 1, before + count * #counters do reset(keys[index]) end
    before = before + count * #counters
  else
    for _ = 1, count do
      answer(operation, shape, cost, age)
      before = before + #counters
    end
  end
end

for index = 1, changed do
  local entry = changes[index]
  if entry[STATE] then save(entry[KEY], entry[COUNTER].algorithm, entry[STATE], entry[RESET_AFTER]) end
end

return replies
