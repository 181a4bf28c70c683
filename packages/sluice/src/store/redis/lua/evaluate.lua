-- Decides a batch of requests, in order, at one instant. The only file that calls Redis.
--
-- KEYS: the keys of all checks of all requests, in order.
-- ARGV[1]: a flat JSON list, since every nested one costs time:
--   now        microseconds, or -1 for Redis's own clock
--   keepMs     the shortest life of a key that is written (for clocks that are not Redis's)
--   shapes     how many, and of each, what all requests of one rule have in common: countRefused; how many
--              checks, and of each the algorithm and its parameters; the length of the tree, and the tree, each
--              branch before its parts: "and" or "or", how many parts, the parts. A leaf is the number of a check
--              from 0, or -1 for a limit that does not apply. No tree at all stands for the only check.
--   requests   until the end, operation, shape from 1, and cost of each; of a REFUND also the instant at which was
--              charged what is given back, or -1 for just now.
-- Result: for each request three whole numbers for each check: remaining, retryAfterMs (0 when it fits) and
--   resetAfterMs, with -1 for infinity. Before those of a HOLD stands the instant. A RESET has no result. One text
--   stands instead of all that for a request whose state cannot be read.

local call, floor, max, INFINITY = redis.call, math.floor, math.max, math.huge
local DECIDE, REFUND, RESET = 0, 2, 3
-- For a plan whose checks are in several places: charge what fits, if only what is elsewhere can still refuse; and
-- charge without asking.
local HOLD, CHARGE = 4, 5

local list = cjson.decode(ARGV[1])
local now, keepMs = list[1], list[2]
if now < 0 then
  local time = call("TIME")
  now = time[1] * 1000000 + time[2]
end

local shapes, place = {}, 4
for number = 1, list[3] do
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

-- A ring in a string: a header of numbers, then the places. Places are read when asked for and written at the
-- end, so that a request touches a few bytes however long the string is.
local function storedRings()
  local pack, unpack = struct.pack, struct.unpack
  local HEADER_FORMAT, HEADER_SIZE, LARGEST_CAPACITY = "<ddddd", 40, 2 ^ 26
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
  end

  function Ring:save()
    self:writeRuns()
    local one, other = self.numbers[1], self.numbers[2]
    local header = pack(HEADER_FORMAT, self.first, self.count, self.capacity, self[one], self[other])
    call("SETRANGE", self.key, 0, header)
  end

  local function isWhole(value, largest)
    return value >= 0 and value <= largest and value == floor(value)
  end

  return function(key, numbers)
    local text = redis.pcall("GETRANGE", key, 0, HEADER_SIZE - 1)
    if type(text) ~= "string" then return nil, text.err end
    local first, count, capacity, one, other = 0, 0, 0, 0, 0
    if #text == HEADER_SIZE then first, count, capacity, one, other = unpack(HEADER_FORMAT, text) end
    if not (isWhole(capacity, LARGEST_CAPACITY) and isWhole(count, capacity) and isWhole(first, capacity)) then
      first, count, capacity, one, other = 0, 0, 0, 0, 0
    end
    local ring = { key = key, numbers = numbers, first = first, count = count, capacity = capacity, known = {}, runs = {} }
    ring[numbers[1]], ring[numbers[2]] = one, other
    return setmetatable(ring, Ring)
  end
end

-- The state behind each key, read once for the whole batch and written once at its end.
local entries, touched = {}, {}
local loadRing

local function load(key, counter)
  local algorithm = counter.algorithm
  local state, failure
  if algorithm.decode then
    local text = redis.pcall("GET", key)
    if type(text) == "string" then state = algorithm.decode(text) elseif text then failure = text.err end
  else
    loadRing = loadRing or storedRings()
    state, failure = loadRing(key, algorithm.numbers)
  end
  local healed = state ~= nil and algorithm.heal(state, counter.params, now)
  local entry = { key = key, counter = counter, state = state, dirty = healed, resetAfterMs = 0, failure = failure }
  entries[key] = entry
  touched[#touched + 1] = entry
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

local replies, before = {}, 0
local checks, fits = {}, {}
while place <= #list do
  local operation, shape, cost, age = list[place], shapes[list[place + 1]], list[place + 2], 0
  local counters = shape.counters
  place = place + 3
  if operation == REFUND then
    if list[place] >= 0 then age = max(0, now - list[place]) end
    place = place + 1
  end

  local asks, failure = operation == DECIDE or operation == HOLD, nil
  for check = 1, #counters do
    local key, counter = KEYS[before + check], counters[check]
    if operation == RESET then
      call("DEL", key)
      if entries[key] then entries[key].dirty = false end
      entries[key] = nil
    else
      local entry = entries[key] or load(key, counter)
      failure = failure or entry.failure
      checks[check] = entry
      if asks and not failure then fits[check] = counter.algorithm.fits(entry.state, counter.params, cost, now) end
    end
  end
  before = before + #counters

  if failure then
    replies[#replies + 1] = failure
  elseif operation ~= RESET then
    if operation == HOLD then replies[#replies + 1] = now end
    local admitted = asks and (shape.tree and admits(shape.tree, fits) or not shape.tree and fits[1])
    local chargeAll = operation == CHARGE or operation == DECIDE and (admitted or shape.countRefused)
    for check = 1, #counters do
      local entry, counter = checks[check], counters[check]
      local algorithm, params = counter.algorithm, counter.params
      local fitted = admitted and fits[check]
      if chargeAll or operation == HOLD and fitted then
        entry.state = algorithm.charge(entry.state, params, cost, now)
        entry.dirty = true
      elseif operation == REFUND and entry.state then
        entry.state = algorithm.refund(entry.state, params, cost, now, age)
        entry.dirty = true
      end
      local remaining, retryAfterMs, resetAfterMs = algorithm.judge(entry.state, params, cost, now)
      entry.resetAfterMs = resetAfterMs
      local last = #replies
      replies[last + 1] = remaining
      replies[last + 2] = fitted and 0 or retryAfterMs == INFINITY and -1 or retryAfterMs
      replies[last + 3] = resetAfterMs == INFINITY and -1 or resetAfterMs
    end
  end
end

for index = 1, #touched do
  local entry = touched[index]
  if entry.dirty then
    local algorithm, resetAfterMs = entry.counter.algorithm, entry.resetAfterMs
    if resetAfterMs == 0 then
      call("DEL", entry.key)
    elseif algorithm.encode then
      call("SET", entry.key, algorithm.encode(entry.state), "PX", max(resetAfterMs, keepMs))
    else
      entry.state:save()
      call("PEXPIRE", entry.key, max(resetAfterMs, keepMs))
    end
  end
end

return replies
