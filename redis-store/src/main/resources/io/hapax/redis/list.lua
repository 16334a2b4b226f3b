-- Lists open and dead marks of one shard and scope. Nothing else is looked at.
--
-- ARGV    4 which: 1 PROCESSING whose lease is over, 2 in doubt, 3 dead, 4 PROCESSING whose lease is
--           alive
--         5 list those behind this item's key only (of PROCESSING ones: and some more), or nothing
--         6 at most so many of the other kinds
--         7 where to go on with PROCESSING ones, 0 at first: they have no index, so that a claim need
--           not write one, and they are few; they come in no order, some twice
-- Answer  now, where to go on or 0, then an item's key and its mark for each. The other kinds come in
--         the order of the items' keys
local answers = { now, '0' }

local function answer(key, mark)
  answers[#answers + 1] = key
  answers[#answers + 1] = mark
end

-- Lua compares strings as the server's locale does; the caller looks at the rest.
local function first_bytes(key)
  return (unpack_number('>I6', key, #key - 15))
end

local function list_processing(is_wanted, after)
  local from = after == '' and 0 or first_bytes(after)
  local page = call('HSCAN', KEYS[1], ARGV[7], 'COUNT', 500)
  local found = page[2]
  answers[2] = page[1]
  for at = 1, #found, 2 do
    local mark = found[at + 1]
    if first_bytes(found[at]) >= from then
      if is_fresh_form(mark) then
        mark = is_wanted((unpack_number('>I7', mark))) and from_fresh_form(mark)
      end
      if mark and is_wanted(until_of(mark)) then
        answer(found[at], mark)
      end
    end
  end
end

local function is_over(lease_end) return lease_end <= now end
local function is_alive(lease_end) return now < lease_end end

-- An index may outlive its hash where somebody else removes keys. What was claimed since is no such
-- mark any more: in the fresh form it never is.
local function belongs(kind, mark)
  return mark and not is_fresh_form(mark) and (kind == '2' and is_in_doubt or is_dead)(mark)
end

local function list_indexed(kind, after, limit)
  local index = KEYS[1 + kind]
  local page = call('ZRANGEBYLEX', index, after == '' and '-' or '(' .. after, '+', 'LIMIT', 0, limit)
  while #page > 0 and #answers < 2 + 2 * limit do
    local held, resting = call('HMGET', KEYS[1], unpack(page)), call('HMGET', KEYS[2], unpack(page))
    for i = 1, #page do
      local mark = held[i] or resting[i]
      if belongs(kind, mark) and #answers < 2 + 2 * limit then
        answer(page[i], mark)
      end
    end
    page = call('ZRANGEBYLEX', index, '(' .. page[#page], '+', 'LIMIT', 0, limit)
  end
end

if ARGV[4] == '1' then
  list_processing(is_over, ARGV[5])
elseif ARGV[4] == '4' then
  list_processing(is_alive, ARGV[5])
else
  list_indexed(ARGV[4], ARGV[5], tonumber(ARGV[6]))
end
return answers
