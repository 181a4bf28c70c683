-- A ring in a string: a header of numbers, then the places. Places are read when asked for and written at the
-- end, so that a request touches a few bytes however long the string is.
-- It reaches Redis only by the two functions that evaluate.lua hands it.
return function(call, try)
  local pack, unpack, floor, min = struct.pack, struct.unpack, math.floor, math.min
  local HEADER_FORMAT, HEADER_SIZE, HEADER_END, LARGEST_CAPACITY = "<ddddddd", 56, "55", 2 ^ 26
  local Ring = {}
  Ring.__index = Ring

  function Ring:read(place)
    local value = self.known[place]
    if value == nil then
      local offset = HEADER_SIZE + 8 * place
      local text = call("GETRANGE", self[KEY], offset, offset + 7)
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

  -- The same value in many places from this one on, at once: a large cost must not hold up Redis.
  function Ring:fill(place, count, value)
    self:writeRuns()
    call("SETRANGE", self[KEY], HEADER_SIZE + 8 * place, pack("<d", value):rep(count))
    self.known = {}
  end

  function Ring:writeRuns()
    for _, run in ipairs(self.runs) do
      local values = {}
      for place = run.first, run.last do values[#values + 1] = pack("<d", self.known[place]) end
      call("SETRANGE", self[KEY], HEADER_SIZE + 8 * run.first, table.concat(values))
    end
    self.runs = {}
  end

  -- Moves places to the front by one block, across the end of the ring where need be.
  function Ring:move(from, to, count)
    self:writeRuns()
    local key, capacity = self[KEY], self.capacity
    local function offset(place) return HEADER_SIZE + 8 * place end
    local untilEnd = min(count, capacity - from)
    local places = call("GETRANGE", key, offset(from), offset(from + untilEnd) - 1)
    if count > untilEnd then places = places .. call("GETRANGE", key, offset(0), offset(count - untilEnd) - 1) end
    untilEnd = min(count, capacity - to)
    call("SETRANGE", key, offset(to), places:sub(1, 8 * untilEnd))
    if count > untilEnd then call("SETRANGE", key, offset(0), places:sub(8 * untilEnd + 1)) end
    self.known = {}
  end

  -- Written anew, in order and with room for more: rarely, and exactly as long as it has to be.
  function Ring:grow(first, count, size)
    self:writeRuns()
    local places = (call("GET", self[KEY]) or ""):sub(HEADER_SIZE + 1)
    local ordered = (places:sub(8 * first + 1) .. places:sub(1, 8 * first)):sub(1, 8 * count)
    local empty = ("\0"):rep(8 * size - #ordered)
    call("SET", self[KEY], ("\0"):rep(HEADER_SIZE) .. ordered .. empty)
    self.known = {}
    self[LIVES_UNTIL] = 0
  end

  function Ring:save(lifeMs)
    self:writeRuns()
    local numbers = self[COUNTER].algorithm.numbers
    local one, two, three = self[numbers[1]], self[numbers[2]], self[numbers[3]]
    local header = pack(HEADER_FORMAT, self[LIVES_UNTIL], self.first, self.count, self.capacity, one, two, three)
    call("SETRANGE", self[KEY], "0", header)
    if lifeMs then call("PEXPIRE", self[KEY], lifeMs) end
  end

  local function isWhole(value, largest)
    return value >= 0 and value <= largest and value == floor(value)
  end

  return function(key, counter)
    local text = try("GETRANGE", key, "0", HEADER_END)
    if type(text) ~= "string" then return nil, text.err end
    local livesUntil, first, count, capacity, one, two, three = 0, 0, 0, 0, 0, 0, 0
    if #text == HEADER_SIZE then
      livesUntil, first, count, capacity, one, two, three = unpack(HEADER_FORMAT, text)
    end
    local readable = isWhole(capacity, LARGEST_CAPACITY) and isWhole(count, capacity) and isWhole(first, capacity)
      and isWhole(livesUntil, LARGEST) and isWhole(one, LARGEST) and isWhole(two, LARGEST) and isWhole(three, LARGEST)
    if not readable then
      livesUntil, first, count, capacity, one, two, three = 0, 0, 0, 0, 0, 0, 0
    end
    local ring = { key, counter, false, livesUntil, first = first, count = count, capacity = capacity, known = {}, runs = {} }
    local numbers = counter.algorithm.numbers
    ring[numbers[1]], ring[numbers[2]], ring[numbers[3]] = one, two, three
    return setmetatable(ring, Ring)
  end
end
