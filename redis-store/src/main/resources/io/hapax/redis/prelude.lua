-- What every script begins with: the server's time and the shape of a mark. Behind it come the
-- layout (strings.lua or compact.lua: where DONE marks are), marks.lua, and the verb.
--
-- KEYS  1 marks of the shard and scope that are PROCESSING (hash: an item's key -> mark)
--       2 those that wait or are dead (a hash, too)
--       3 open ones in doubt, 4 dead ones (sorted sets of items' keys)
--       5 the canary
--       6.. one for each item, which ends in its store key; the layout says what else
-- ARGV  1 microseconds to add to the clock: 0 but in tests   2 retention, milliseconds
--       3 how many bytes of a store key are a field of its bucket (compact only)
--       4.. the verb's own; the last one says all of the items, one behind the other
--
-- A mark, first byte 1:  1 state P R X (open, dead), D L (done)   2 flags: 1 solo, 2 external, 4 in doubt
--   3-18 nonce   19-25 token   26-32 until   33-39 claimed at   40-47 fingerprint   48-51 attempt (0: none counted)
--   52.. P R X: owner, coordinates, id, each behind two bytes of length, then the detail; L: the result
-- The detail of X is its reason. That of P and R is the token of the first claim that was deferred
-- (8 bytes), or nothing if none was.
-- State D is L without 33-39 and 48-51, which almost never say more than "claimed at its token,
-- attempt 1". Two kinds of marks are kept in forms of their own, in which a fresh claim is written and
-- settled with as few strings as can be, for Lua makes each string anew: fresh and short, see below.
-- Numbers are big-endian. Tokens and times are microseconds since 1970, below 2^52, so Lua's doubles
-- hold them exactly.
local byte, sub, char = string.byte, string.sub, string.char
local pack, unpack_number = struct.pack, struct.unpack
local call = redis.call

local time = call('TIME')
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
-- Those of a mark that is reopened: nothing is in doubt any more, and nobody has claimed it alone.
local function reopened_flags(mark) return char(flags_of(mark) % 4 >= 2 and 2 or 0) end
local function attempt_of(mark) return (unpack_number('>I4', mark, 48)) end
local function claimed_at(mark)
  return state_of(mark) == 'D' and token_of(mark) or sub(mark, 33, 39)
end
local function fingerprint_of(mark)
  return state_of(mark) == 'D' and sub(mark, 33, 40) or sub(mark, 40, 47)
end

-- Where owner, coordinates and id of a P, R or X mark end.
local function end_of_id(mark)
  local last = 51
  for _ = 1, 3 do
    last = last + 2 + unpack_number('>I2', mark, last + 1)
  end
  return last
end
local function deferral_of(mark) return sub(mark, end_of_id(mark) + 1) end

local ZEROS = {}
for length = 0, 16 do
  ZEROS[length] = string.rep('\0', length)
end

-- What the items are told, each in that format.
local function items_in(format, items)
  return { unpack_number('>' .. string.rep(format, items), ARGV[#ARGV]) }
end

-- Nonces stand in the forms below with their last four bytes first and those before them next: what is
-- kept of a nonce for long stands beside the fingerprint then. This turns them, there and back.
local function turned(nonce)
  return sub(nonce, 13, 16) .. sub(nonce, 9, 12) .. sub(nonce, 1, 8)
end
local function turned_back(nonce)
  return sub(nonce, 9, 16) .. sub(nonce, 5, 8) .. sub(nonce, 1, 4)
end

-- The fresh form: PROCESSING, claimed at its token, in its first attempt. What does not change with a
-- renewal stands together and is what its owner tells to settle it; what the server adds to a claim
-- stands in front.
--   1-7 until   8 P   9-15 token   16-23 fingerprint   24-39 nonce, turned   40 flags   41.. as 52..
local function is_fresh_form(stored)
  return byte(stored) < 32 -- of a time below 2^53; states are letters
end

local function from_fresh_form(fresh)
  local token = sub(fresh, 9, 15)
  return 'P' .. sub(fresh, 40, 40) .. turned_back(sub(fresh, 24, 39)) .. token .. sub(fresh, 1, 7)
    .. token .. sub(fresh, 16, 23) .. FIRST_ATTEMPT .. sub(fresh, 41)
end

-- The short form: DONE, claimed at its token, in its first attempt, without a result, as nearly every
-- mark is in the end. Its first parts are bytes 9.. of the fresh form; its last has 2, 3, 4 or 7 bytes.
--   1-7 token   8-15 fingerprint   16.. nonce, turned, as many bytes as the layout keeps
--   microseconds from the token to the settlement
local function span(micros_after)
  return pack(
    micros_after < 65536 and '>I2' or micros_after < 16777216 and '>I3'
      or micros_after < 4294967296 and '>I4' or '>I7',
    micros_after)
end

local function short_form(mark, nonce_bytes)
  if byte(mark) == 68 and #mark == 40 then -- D
    local after = unpack_number('>I7', mark, 26) - unpack_number('>I7', mark, 19)
    if after >= 0 then
      return token_of(mark) .. sub(mark, 33) .. sub(turned(nonce_of(mark)), 1, nonce_bytes)
        .. span(after)
    end
  end
end

-- When the mark was settled that the short form is of.
local function settled_at_of_short(short, nonce_bytes)
  local after = sub(short, 16 + nonce_bytes)
  return unpack_number('>I7', short) + unpack_number('>I7', ZEROS[7 - #after] .. after)
end

-- The mark again; zeros stand for what is not kept of the nonce.
local function from_short_form(short, nonce_bytes)
  return 'D\0' .. turned_back(sub(short, 16, 15 + nonce_bytes) .. ZEROS[16 - nonce_bytes])
    .. sub(short, 1, 7) .. micros(settled_at_of_short(short, nonce_bytes)) .. sub(short, 8, 15)
end

-- Whether two marks are of one nonce, the first one's perhaps shortened to its last bytes.
local function same_end_of_nonce(mark, claim, nonce_bytes)
  local kept, told = nonce_of(mark), nonce_of(claim)
  return kept == told or kept == ZEROS[16 - nonce_bytes] .. sub(told, 17 - nonce_bytes)
end

-- Greater than the last one, for ever: the clock carries it on where the mark was lost.
local function token_after(mark)
  return micros(math.max(unpack_number('>I7', mark, 19) + 1, now))
end

local function with_until(mark, until_bytes)
  return sub(mark, 1, 25) .. until_bytes .. sub(mark, 33)
end
