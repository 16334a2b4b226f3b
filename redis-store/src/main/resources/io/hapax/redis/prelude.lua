-- What every script begins with: the server's time, the shape of a mark, and the marks of the call.
--
-- KEYS  1 open and dead marks of the shard and scope (hash: store key -> mark)
--       2 those that are PROCESSING, 3 open ones in doubt, 4 dead ones (sorted sets of store keys)
--       5 the canary
--       6.. one for each item: where its DONE mark is (string with a life of its own)
-- ARGV  1 microseconds to add to the clock: 0 but in tests
--
-- A mark, first byte 1:  1 state P R X (open, dead), D L (done)   2 flags: 1 solo, 2 external, 4 in doubt
--   3-9 token   10-16 until   17-32 nonce   33-40 fingerprint   41-47 claimed at   48-51 attempt
--   52.. P R X: owner, coordinates, id, each behind two bytes of length, then the detail; L: the result
-- State D is L without 41-51, which almost never say more than "claimed at its token, attempt 1".
-- Numbers are big-endian. Tokens and times are microseconds since 1970, below 2^52, so Lua's doubles
-- hold them exactly.
local byte, sub, char, concat = string.byte, string.sub, string.char, table.concat
local pack, unpack_number = struct.pack, struct.unpack

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] + ARGV[1]
if now >= 4503599627370496 then
  return redis.error_reply('HAPAX the clock of this server is past 2^52 microseconds since 1970')
end

local NOBODY = string.rep('\0', 8) -- the fingerprint of who does not compare payloads
local FIRST_ATTEMPT, NO_ATTEMPT = '\0\0\0\1', '\0\0\0\0'

local function micros(number)
  return pack('>I7', number)
end
local NOW = micros(now)

local function state_of(mark) return sub(mark, 1, 1) end
local function is_done(state) return state == 'D' or state == 'L' end
local function flags_of(mark) return byte(mark, 2) end
local function token_of(mark) return sub(mark, 3, 9) end
local function until_of(mark) return (unpack_number('>I7', mark, 10)) end
local function nonce_of(mark) return sub(mark, 17, 32) end
local function fingerprint_of(mark) return sub(mark, 33, 40) end
local function claimed_at(mark)
  return state_of(mark) == 'D' and token_of(mark) or sub(mark, 41, 47)
end
local function attempt_of(mark) return (unpack_number('>I4', mark, 48)) end

local function same_claim(mark, claim)
  return token_of(mark) == token_of(claim) and nonce_of(mark) == nonce_of(claim)
end

-- Greater than the last one, for ever: the clock carries it on where the mark was lost.
local function token_after(mark)
  return micros(math.max(unpack_number('>I7', mark, 3) + 1, now))
end

local function with_until(mark, until_bytes)
  return sub(mark, 1, 9) .. until_bytes .. sub(mark, 17)
end

local function stamped(mark, until_bytes, claimed_bytes)
  return sub(mark, 1, 9) .. until_bytes .. sub(mark, 17, 40) .. claimed_bytes .. sub(mark, 48)
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

local function stands_in(mark)
  if not mark then
    return false, false, false
  end
  local state = state_of(mark)
  local open = state == 'P' or state == 'R'
  return state == 'P', open and flags_of(mark) >= 4, state == 'X'
end

local function note(index, field, before, after)
  if after and not before then
    local list = added[index]
    list[#list + 1] = 0
    list[#list + 1] = field
  elseif before and not after then
    local list = removed[index]
    list[#list + 1] = field
  end
end

local function reindex(field, before, after)
  local processing, doubt, dead = stands_in(before)
  local processing_then, doubt_then, dead_then = stands_in(after)
  note(1, field, processing, processing_then)
  note(2, field, doubt, doubt_then)
  note(3, field, dead, dead_then)
end

-- An open or dead mark. It has no life of its own: somebody has to end it.
local function write_open(i, mark)
  open_writes[#open_writes + 1] = fields[i]
  open_writes[#open_writes + 1] = mark
  reindex(fields[i], marks[i], mark)
end

-- A DONE mark, moved out of the open ones. Its key lives as long as the retention.
local function write_done(i, mark, retention)
  local small = sub(mark, 41, 47) == token_of(mark) and sub(mark, 48, 51) == FIRST_ATTEMPT
  local done = small and 'D' .. sub(mark, 2, 40) .. sub(mark, 52) or 'L' .. sub(mark, 2)
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
