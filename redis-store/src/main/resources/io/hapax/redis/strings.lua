-- The layout "strings": each DONE mark is a string whose life is the retention.
--
-- KEYS  6.. one for each item: where its DONE mark is
local items = #KEYS - 5

local function same_nonce(mark, claim)
  return nonce_of(mark) == nonce_of(claim)
end

local function done_marks()
  return redis.call('MGET', unpack(KEYS, 6))
end

local function keep_done(i, mark)
  redis.call('SET', KEYS[5 + i], mark, 'PX', ARGV[2])
end

local function drop_done(i)
  redis.call('DEL', KEYS[5 + i])
end

local function flush_done()
  return 0
end
