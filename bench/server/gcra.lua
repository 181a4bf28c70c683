-- What RATELIMIT does, as a script of one's own would do it in Redis: one key, on Redis's clock.
-- KEYS[1]: the key, holding the microsecond at which the bucket is full again.
-- ARGV[1], ARGV[2]: period and capacity in nanoseconds.
-- Result: allowed, remaining, ready_after and reset_after in nanoseconds.
local time = redis.call("TIME")
local now = time[1] * 1000000 + time[2]
local period, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
local fullAt = tonumber(redis.call("GET", KEYS[1]) or "0")
local debt = math.max(0, (fullAt - now) * 1000)
local allowed = capacity - debt >= period
if allowed then
  debt = debt + period
  redis.call("SET", KEYS[1], string.format("%.3f", now + debt / 1000), "PX", math.ceil(debt / 1000000))
end
local available = math.max(0, capacity - debt)
local remaining = allowed and math.floor(available / period) or 0
return { allowed and 1 or 0, remaining, math.max(0, period - available), capacity - available }
