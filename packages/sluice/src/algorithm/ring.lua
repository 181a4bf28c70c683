-- Records in the order in which they came, in a ring: the oldest go and the newest come at any size alike.
-- A ring has `first`, `count` and `capacity`, and reads and writes its places one by one; stored-ring.lua keeps
-- them in a string that is never read whole.
local ceil, floor, max, min = math.ceil, math.floor, math.max, math.min
local FIRST_RECORDS = 4
-- At most a fifth of the places is empty, so that a unit of a sliding log takes at most 10 bytes.
local GROWTH = 1.25

local function placeOf(ring, index, width)
  local place = (ring.first + index) * width
  return place < ring.capacity and place or place - ring.capacity
end

local function forgetOldest(ring, records, width)
  ring.count = ring.count - records
  ring.first = ring.count == 0 and 0 or placeOf(ring, records, width) / width
end

-- Takes records out of the middle; those that came later move up, as one block of bytes.
local function dropRecords(ring, index, records, width)
  if records == 0 then return end
  local later = ring.count - index - records
  if later > 0 then
    ring:move(placeOf(ring, index + records, width), placeOf(ring, index, width), later * width)
  end
  ring.count = ring.count - records
end

local function makeRoom(ring, records, most, width)
  local needed = ring.count + records
  if needed * width <= ring.capacity then return end
  local size = min(most, max(needed, ceil(GROWTH * ring.count), FIRST_RECORDS)) * width
  ring:grow(ring.first * width, ring.count * width, size)
  ring.capacity = size
  ring.first = 0
end

local function countLeading(count, holds)
  local known = 0
  local stride = 1
  while known + stride <= count and holds(known + stride - 1) do
    known = known + stride
    stride = stride * 2
  end
  local last = min(known + stride - 1, count)
  while known < last do
    local middle = floor((known + last) / 2)
    if holds(middle) then known = middle + 1 else last = middle end
  end
  return known
end

return {
  placeOf = placeOf,
  forgetOldest = forgetOldest,
  dropRecords = dropRecords,
  makeRoom = makeRoom,
  countLeading = countLeading,
}
