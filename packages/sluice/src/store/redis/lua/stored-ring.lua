-- A ring in a string: a header of numbers, then the places. Places are read when asked for and written at the
-- end, so that a request touches a few bytes however long the string is.
-- It reaches Redis only by the two functions that evaluate.lua hands it.
return function(call, try)
  local pack, unpack, floor = struct.pack, struct.unpack, math.floor
  local HEADER_FORMAT, HEADER_SIZE, HEADER_END, LARGEST_CAPACITY = "<dddddd", 48, "47", 2 ^ 26
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
    local one, other = self[numbers[1]], self[numbers[2]]
    local header = pack(HEADER_FORMAT, self[LIVES_UNTIL], self.first, self.count, self.capacity, one, other)
    call("SETRANGE", self[KEY], "0", header)
    if lifeMs then call("PEXPIRE", self[KEY], lifeMs) end
  end

  local function isWhole(value, largest)
    return value >= 0 and value <= largest and value == floor(value)
  end

  return function(key, counter)
    local text = try("GETRANGE", key, "0", HEADER_END)
    if type(text) ~= "string" then return nil, text.err end
    local livesUntil, first, count, capacity, one, other = 0, 0, 0, 0, 0, 0
    if #text == HEADER_SIZE then livesUntil, first, count, capacity, one, other = unpack(HEADER_FORMAT, text) end
    local readable = isWhole(capacity, LARGEST_CAPACITY) and isWhole(count, capacity) and isWhole(first, capacity)
      and isWhole(livesUntil, LARGEST) and isWhole(one, LARGEST) and isWhole(other, LARGEST)
    if not readable then
      livesUntil, first, count, capacity, one, other = 0, 0, 0, 0, 0, 0
    end
    local ring = { key, counter, false, livesUntil, first = first, count = count, capacity = capacity, known = {}, runs = {} }
    local numbers = counter.algorithm.numbers
    ring[numbers[1]], ring[numbers[2]] = one, other
    return setmetatable(ring, Ring)
  end
end
