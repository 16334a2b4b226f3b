-- Lists open and dead marks of one shard and scope in the order of their store keys, by the index of
-- their kind: nothing else is looked at.
--
-- ARGV    4 the index: 1 PROCESSING (only those whose lease is over are listed), 2 in doubt, 3 dead
--         5 the store key to go on behind, or nothing   6 at most so many
-- Answer  now, then a store key and its mark for each
local index, limit = KEYS[1 + ARGV[4]], tonumber(ARGV[6])
local lapsed_only = ARGV[4] == '1'
local from = ARGV[5] == '' and '-' or '(' .. ARGV[5]
local answers = { now }

local page = redis.call('ZRANGEBYLEX', index, from, '+', 'LIMIT', 0, limit)
while #page > 0 and #answers < 1 + 2 * limit do
  local found = redis.call('HMGET', KEYS[1], unpack(page))
  for i = 1, #page do
    local mark = found[i]
    if mark and #answers < 1 + 2 * limit and not (lapsed_only and now < until_of(mark)) then
      answers[#answers + 1] = page[i]
      answers[#answers + 1] = mark
    end
  end
  page = redis.call('ZRANGEBYLEX', index, '(' .. page[#page], '+', 'LIMIT', 0, limit)
end
return answers
