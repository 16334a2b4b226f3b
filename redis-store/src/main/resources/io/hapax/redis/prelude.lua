-- What every script begins with: the server's time, the shape of a mark, and the marks of the call.
--
-- KEYS  1 open and dead marks of the shard and scope (hash: store key -> mark)
--       2 those that are PROCESSING, 3 open ones in doubt, 4 dead ones (sorted sets of store keys)
--       5 the canary
--       6.. one for each item: where its DONE mark is (string with a life of its own)
-- ARGV  1 microseconds to add to the clock: 0 but in tests
--
-- A mark, first byte 1:  1 state P R X (open, dead), D L (done)   2 flags: 1 solo, 2 external, 4 in doubt
--   3-18 nonce   19-25 token   26-32 until   33-39 claimed at   40-47 fingerprint   48-51 attempt
--   52.. P R X: owner, coordinates, id, each behind two bytes of length, then the detail; L: the result
-- State D is L without 33-39 and 48-51, which almost never say more than "claimed at its token,
-- attempt 1". What is compared together and what is stamped together stands together.
-- Numbers are big-endian. Tokens and times are microseconds since 1970, below 2^52, so Lua's doubles
-- hold them exactly.
local byte, sub, char = string.byte, string.sub, string.char
local pack, unpack_number = struct.pack, struct.unpack

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] + ARGV[1]
if now >= 4503599627370496 then
  return redis.error_reply('HAPAX the clock of this server is past 2^52 microseconds since 1970')
end

local NO_FINGERPRINT = string.rep('\0', 8) -- of who does not compare payloads
local FIRST_ATTEMPT, NO_ATTEMPT = '\0\0\0\1', '\0\0\0\0'

local function micros(number)
  return pack('>I7', number)
end
local NOW = micros(now)

local function state_of(mark) return sub(mark, 1, 1) end
local function is_done(state) return state == 'D' or state == 'L' end
local function flags_of(mark) return byte(mark, 2) end
local function nonce_of(mark) return sub(mark, 3, 18) end
local function token_of(mark) return sub(mark, 19, 25) end
local function until_of(mark) return (unpack_number('>I7', mark, 26)) end
local function attempt_of(mark) return (unpack_number('>I4', mark, 48)) end
local function claimed_at(mark)
  return state_of(mark) == 'D' and token_of(mark) or sub(mark, 33, 39)
end
local function fingerprint_of(mark)
  return state_of(mark) == 'D' and sub(mark, 33, 40) or sub(mark, 40, 47)
end

-- Nonce and token.
local function same_claim(mark, claim)
  return sub(mark, 3, 25) == sub(claim, 3, 25)
end

-- Greater than the last one, for ever: the clock carries it on where the mark was lost.
local function token_after(mark)
  return micros(math.max(unpack_number('>I7', mark, 19) + 1, now))
end

local function with_until(mark, until_bytes)
  return sub(mark, 1, 25) .. until_bytes .. sub(mark, 33)
end

local fields, marks = {}, {}

-- Two commands, however many marks. Where both places have one, DONE counts.
local function read()
  local done = redis.call('MGET', unpack(KEYS, 6))
  for i = 1, #KEYS - 5 do
    fields[i] = sub(KEYS[5 + i], -16)
  end
  local open = redis.call('HMGET', KEYS[1], unpack(fields))
  for i = 1, #fields do
    marks[i] = done[i] or open[i]
  end
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

-- A DONE mark, moved out of the open ones. Its key lives as long as the retention.
local function write_done(i, claim, until_bytes, claimed_bytes, retention)
  local done
  if claimed_bytes == token_of(claim) and sub(claim, 48, 51) == FIRST_ATTEMPT then
    done = 'D' .. sub(claim, 2, 25) .. until_bytes .. sub(claim, 40, 47) .. sub(claim, 52)
  else
    done = 'L' .. sub(claim, 2, 25) .. until_bytes .. claimed_bytes .. sub(claim, 40)
  end
  redis.call('SET', KEYS[5 + i], done, 'PX', retention)
  local before = marks[i]
  if before and not is_done(state_of(before)) then
    open_removals[#open_removals + 1] = fields[i]
    reindex(fields[i], before, false)
  end
end

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
end
