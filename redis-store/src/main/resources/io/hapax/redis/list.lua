-- Lists open and dead marks of one shard and scope.
--
-- ARGV    4 the kind
--         5 an item's key or nothing: list only marks after it (of PROCESSING marks, perhaps some
--           more)
--         6 the maximum number of indexed marks
--         7 the cursor of a list of PROCESSING marks, 0 at first. They have no index, so that a
--           claim need not write one, and they are few. They come in no order, some of them twice
-- Answer  now; the next cursor or 0; then an item's key and its mark for each. Indexed marks come in
--         the order of the items' keys
local STALE, IN_DOUBT, LEASED = '1', '2', '4' -- 3 is dead
local answers = { now, '0' }

local function answer(key, mark)
  answers[#answers + 1] = key
  answers[#answers + 1] = mark
end

-- Lua compares strings by the server's locale, so this compares numbers; the caller checks the rest.
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

-- An index may outlive its hash if keys are removed from outside. A message that was claimed since
-- is no longer of this kind; its fresh form never is.
local function belongs(kind, mark)
  return mark and not is_fresh_form(mark) and (kind == IN_DOUBT and is_in_doubt or is_dead)(mark)
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

if ARGV[4] == STALE then
  list_processing(is_over, ARGV[5])
elseif ARGV[4] == LEASED then
  list_processing(is_alive, ARGV[5])
else
  list_indexed(ARGV[4], ARGV[5], tonumber(ARGV[6]))
end
return answers
