-- The marks of the call, wherever they are, and how they are written.
local fields, marks = {}, {}

-- Where both places are looked up and have one, DONE counts; buckets are looked up only where there
-- is no open mark, because settling takes the one away before it writes the other.
local function read()
  for i = 1, items do
    fields[i] = sub(KEYS[5 + i], -16)
  end
  local open = redis.call('HMGET', KEYS[1], unpack(fields))
  local done = done_marks(open)
  for i = 1, items do
    marks[i] = done[i] or open[i]
  end
end

local function same_claim(mark, claim)
  return token_of(mark) == token_of(claim) and same_nonce(mark, claim)
end

-- Writes are gathered and sent with one command for each kind, DONE marks aside.
local open_writes, open_removals = {}, {}
local added, removed = { {}, {}, {} }, { {}, {}, {} }

-- Where a mark is indexed: the sum of 1 PROCESSING, 2 open and in doubt, 4 dead.
local function places(mark)
  if not mark then
    return 0
  end
  local state, flags = byte(mark, 1, 2)
  if state == 80 then -- P
    return flags >= 4 and 3 or 1
  elseif state == 82 then -- R
    return flags >= 4 and 2 or 0
  end
  return state == 88 and 4 or 0 -- X
end

local function reindex(field, before, after)
  local was, is = places(before), places(after)
  for index = 1, 3 do
    if was == is then
      return
    end
    local stood, stands = was % 2, is % 2
    if stands > stood then
      local list = added[index]
      list[#list + 1] = 0
      list[#list + 1] = field
    elseif stood > stands then
      local list = removed[index]
      list[#list + 1] = field
    end
    was, is = (was - stood) / 2, (is - stands) / 2
  end
end

-- An open or dead mark. It has no life of its own: somebody has to end it.
local function write_open(i, mark)
  open_writes[#open_writes + 1] = fields[i]
  open_writes[#open_writes + 1] = mark
  reindex(fields[i], marks[i], mark)
end

-- A DONE mark, moved out of the open ones.
local function write_done(i, claim, until_bytes, claimed_bytes)
  local done
  if claimed_bytes == token_of(claim) and sub(claim, 48, 51) == FIRST_ATTEMPT then
    done = 'D' .. sub(claim, 2, 25) .. until_bytes .. sub(claim, 40, 47) .. sub(claim, 52)
  else
    done = 'L' .. sub(claim, 2, 25) .. until_bytes .. claimed_bytes .. sub(claim, 40)
  end
  keep_done(i, done)
  local before = marks[i]
  if before and not is_done(state_of(before)) then
    open_removals[#open_removals + 1] = fields[i]
    reindex(fields[i], before, false)
  end
end

-- Gives how many fields one of the buckets has that were written, 0 if there are none.
local function flush()
  if #open_writes > 0 then
    redis.call('HSET', KEYS[1], unpack(open_writes))
  end
  if #open_removals > 0 then
    redis.call('HDEL', KEYS[1], unpack(open_removals))
  end
  for index = 1, 3 do
    if #added[index] > 0 then
      redis.call('ZADD', KEYS[1 + index], unpack(added[index]))
    end
    if #removed[index] > 0 then
      redis.call('ZREM', KEYS[1 + index], unpack(removed[index]))
    end
  end
  return flush_done()
end
