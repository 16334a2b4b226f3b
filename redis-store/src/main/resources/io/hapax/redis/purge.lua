-- Removes expired DONE marks of some buckets.
--
-- KEYS    buckets
-- ARGV    4 the maximum number of removals   5 the approximate number of fields to check
-- Answer  now; the number of removals; the number of finished buckets, counted from the first one
local left, to_check, dropped = tonumber(ARGV[4]), tonumber(ARGV[5]), 0

-- Returns whether the whole bucket has been checked.
local function purge(bucket)
  local head, finished = redis.call('HGET', bucket, 'h'), false
  while head and not finished and left > 0 and to_check > 0 do
    local swept, over, seen
    swept, over, seen, finished = sweep(bucket, head, math.min(left, 1000))
    left, to_check, dropped = left - over, to_check - seen, dropped + over
    if swept ~= head then
      redis.call('HSET', bucket, 'h', swept)
      head = swept
    end
  end
  if finished and redis.call('HLEN', bucket) == 1 then
    redis.call('DEL', bucket) -- only the head is left
  end
  return finished or not head
end

local done = 0
while done < #KEYS and purge(KEYS[done + 1]) do
  done = done + 1
end
return { now, dropped, done }
