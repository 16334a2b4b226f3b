-- Lists open and dead marks of one shard and scope in the order of their store keys, by the index of
-- their kind: nothing else is looked at.
--
-- ARGV    4 the index: 1 PROCESSING, 2 in doubt, 3 dead
--         5 the store key to go on behind, or nothing   6 at most so many
--         7 STALE: only those whose lease is over, LEASED: only those whose lease is alive, or else
-- Answer  now, then a store key and its mark for each
local index, limit = KEYS[1 + ARGV[4]], tonumber(ARGV[6])
local lapsed_only, alive_only = ARGV[7] == 'STALE', ARGV[7] == 'LEASED'
local from = ARGV[5] == '' and '-' or '(' .. ARGV[5]
local answers = { now }

local function is_wanted(mark)
  local alive = now < until_of(mark)
  return not (lapsed_only and alive) and not (alive_only and not alive)
end

local page = redis.call('ZRANGEBYLEX', index, from, '+', 'LIMIT', 0, limit)
while #page > 0 and #answers < 1 + 2 * limit do
  local found = redis.call('HMGET', KEYS[1], unpack(page))
  for i = 1, #page do
    local mark = found[i]
    if mark and #answers < 1 + 2 * limit and is_wanted(mark) then
      answers[#answers + 1] = page[i]
      answers[#answers + 1] = mark
    end
  end
  page = redis.call('ZRANGEBYLEX', index, '(' .. page[#page], '+', 'LIMIT', 0, limit)
end
return answers
