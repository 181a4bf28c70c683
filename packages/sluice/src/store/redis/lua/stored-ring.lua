-- A ring in a string: a header of numbers, then the places. Places are read when asked for and written at the
-- end, so that a request touches a few bytes however long the string is.
-- It reaches Redis only by the two functions that evaluate.lua hands it, and its clock by the instant.
return function(call, try, now)
  local pack, unpack, min = struct.pack, struct.unpack, math.min
  local HEADER_FORMAT, HEADER_SIZE, HEADER_END = "<ddddddd", 56, "55"
  local Ring = {}
  Ring.__index = Ring

  -- What is missing, or is no number that we write, is 0.
  function Ring:read(place)
    local value = self.known[place]
    if value == nil then
      local offset = HEADER_SIZE + 8 * place
      local text = call("GETRANGE", self[KEY], offset, offset + 7)
      value = #text == 8 and unpack("<d", text) or 0
      if not (value >= 0 and value <= LARGEST) then value = 0 end
      self.known[place] = value
    end
    return value
  end

  -- A record of two places at once.
  function Ring:readPair(place)
    local offset = HEADER_SIZE + 8 * place
    local text = call("GETRANGE", self[KEY], offset, offset + 15)
    local one, other = 0, 0
    if #text == 16 then one, other = unpack("<dd", text) end
    if not (one >= 0 and one <= LARGEST) then one = 0 end
    if not (other >= 0 and other <= LARGEST) then other = 0 end
    self.known[place], self.known[place + 1] = one, other
    return one, other
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
    local known = self.known
    for _, run in ipairs(self.runs) do
      local first, last = run.first, run.last
      local text
      if last == first then
        text = pack("<d", known[first])
      elseif last == first + 1 then
        text = pack("<dd", known[first], known[last])
      else
        local values = {}
        for place = first, last do values[#values + 1] = pack("<d", known[place]) end
        text = table.concat(values)
      end
      call("SETRANGE", self[KEY], HEADER_SIZE + 8 * first, text)
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

  local function none(key, counter)
    local numbers = counter.algorithm.numbers
    local ring = { key, counter, false, 0, first = 0, count = 0, capacity = 0, known = {}, runs = {} }
    ring[numbers[1]], ring[numbers[2]], ring[numbers[3]] = 0, 0, 0
    return setmetatable(ring, Ring)
  end

  return function(key, counter)
    local text = try("GETRANGE", key, "0", HEADER_END)
    if type(text) ~= "string" then return nil, text.err end
    if #text ~= HEADER_SIZE then return none(key, counter) end
    local livesUntil, first, count, capacity, one, two, three = unpack(HEADER_FORMAT, text)
    local algorithm, params = counter.algorithm, counter.params
    local width, numbers = algorithm.width, algorithm.numbers
    local fits = count >= 0 and count * width <= capacity and capacity <= params[algorithm.most] * width
      and first >= 0 and (first * width < capacity or first == 0)
      and count % 1 == 0 and first % 1 == 0 and capacity % width == 0
      and one >= 0 and one <= LARGEST and one % 1 == 0
      and two >= 0 and two <= LARGEST and two % 1 == 0
      and three >= 0 and three <= LARGEST
    if not fits then return none(key, counter) end
    local ring = { key, counter, false, livesUntil, first = first, count = count, capacity = capacity, known = {}, runs = {} }
    ring[numbers[1]], ring[numbers[2]], ring[numbers[3]] = one, two, three
    setmetatable(ring, Ring)
    return algorithm.isSound(ring, params, now) and ring or none(key, counter)
  end
end
