-- Drops the DONE marks of some buckets that are past their retention.
--
-- KEYS    buckets
-- ARGV    4 drop so many at most   5 look at about so many
-- Answer  now, how many were dropped, how many buckets are finished: from the first one on
local left, patience, dropped = tonumber(ARGV[4]), tonumber(ARGV[5]), 0

-- Whether nothing of the bucket is left to look at.
local function purge(bucket)
  local head, finished = redis.call('HGET', bucket, 'h'), false
  while head and not finished and left > 0 and patience > 0 do
    local swept, over, seen
    swept, over, seen, finished = sweep(bucket, head, math.min(left, 1000))
    left, patience, dropped = left - over, patience - seen, dropped + over
    if swept ~= head then
      redis.call('HSET', bucket, 'h', swept)
      head = swept
    end
  end
  if finished and redis.call('HLEN', bucket) == 1 then
    redis.call('DEL', bucket) -- the head alone
  end
  return finished or not head
end

local done = 0
while done < #KEYS and purge(KEYS[done + 1]) do
  done = done + 1
end
return { now, dropped, done }
