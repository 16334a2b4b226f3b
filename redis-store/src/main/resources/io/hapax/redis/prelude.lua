-- What every script begins with: the server's time and the shape of a mark. Behind it come the
-- layout (strings.lua or compact.lua: where DONE marks are), marks.lua, and the verb.
--
-- KEYS  1 open and dead marks of the shard and scope (hash: store key -> mark)
--       2 those that are PROCESSING, 3 open ones in doubt, 4 dead ones (sorted sets of store keys)
--       5 the canary
--       6.. one for each item, which ends in its store key; the layout says what else
-- ARGV  1 microseconds to add to the clock: 0 but in tests   2 retention, milliseconds
--       3 how many bytes of a store key are a field of its bucket (compact only)
--       4.. the verb's own
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

local ZEROS = {}
for length = 0, 16 do
  ZEROS[length] = string.rep('\0', length)
end

-- Nearly every DONE mark was claimed at its token, in its first attempt, and has no result. It is kept
-- in this short form, whose last part has 2, 3, 4 or 7 bytes:
--   fingerprint 8   last bytes of the nonce, as many as the layout keeps   token 7
--   microseconds from the token to the settlement
local function short_form(mark, nonce_bytes)
  if byte(mark) == 68 and #mark == 40 then -- D
    local after = unpack_number('>I7', mark, 26) - unpack_number('>I7', mark, 19)
    if after >= 0 then
      return sub(mark, 33) .. sub(mark, 19 - nonce_bytes, 25) .. pack(
        after < 65536 and '>I2' or after < 16777216 and '>I3' or after < 4294967296 and '>I4' or '>I7',
        after)
    end
  end
end

-- When the mark was settled that the short form is of.
local function settled_at_of_short(short, nonce_bytes)
  local after = sub(short, 16 + nonce_bytes)
  return unpack_number('>I7', short, 9 + nonce_bytes)
    + unpack_number('>I7', ZEROS[7 - #after] .. after)
end

-- The mark again; zeros stand for what is not kept of the nonce.
local function from_short_form(short, nonce_bytes)
  return 'D\0' .. ZEROS[16 - nonce_bytes] .. sub(short, 9, 15 + nonce_bytes)
    .. micros(settled_at_of_short(short, nonce_bytes)) .. sub(short, 1, 8)
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
