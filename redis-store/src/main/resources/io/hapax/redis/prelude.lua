-- The common beginning of every script: the server's time and the format of a mark. The layout
-- (strings.lua or compact.lua: how DONE marks are stored), marks.lua and the verb follow it.
--
-- KEYS  1 PROCESSING marks of the shard and scope (hash: an item's key -> mark)
--       2 waiting and dead marks (hash: an item's key -> mark)
--       3 index of open marks in doubt, 4 index of dead marks (sorted sets of items' keys)
--       5 the canary
--       6.. one key for each item, which ends in its store key; the layout adds others
-- ARGV  1 microseconds to add to the clock; 0 except in tests   2 retention, milliseconds
--       3 how many bytes of a store key are the field in its bucket (compact only)
--       4.. arguments of the verb; the last one contains all items, one after the other
--
-- The format of a mark, first byte 1:
--   1 state   2 flags: 1 solo, 2 external, 4 in doubt   3-18 nonce   19-25 token   26-32 until
--   33-39 claimed at   40-47 fingerprint   48-51 attempt (0: none counted)
--   52.. PROCESSING, RETRY, DEAD: owner, coordinates and id, each behind two bytes of length, then
--        the detail   LONG_DONE: the result
-- The detail of a DEAD mark is its reason. The detail of a PROCESSING or RETRY mark is the token of
-- the first claim that was deferred (8 bytes); it is empty if no claim was deferred.
-- DONE is LONG_DONE without bytes 33-39 and 48-51. It implies "claimed at its token, attempt 1",
-- which holds for almost every mark.
-- Numbers are big-endian. Tokens and times are microseconds since 1970, below 2^52, so that Lua's
-- doubles hold them exactly.
-- Two other formats need few new strings, because Lua creates every string anew: see "fresh form"
-- and "short form" below.
local byte, sub, char = string.byte, string.sub, string.char
local pack, unpack_number = struct.pack, struct.unpack
local call = redis.call

local time = call('TIME')
local now = time[1] * 1000000 + time[2] + ARGV[1]
if now >= 4503599627370496 then
  return redis.error_reply('HAPAX the clock of this server is past 2^52 microseconds since 1970')
end

-- States, as StateCode.java names them.
local PROCESSING, RETRY, DEAD, DONE, LONG_DONE = 'P', 'R', 'X', 'D', 'L'
local DONE_BYTE = 68

-- Answers to an item that several verbs share, as AnswerCode.java names them.
local USUAL, MARK_LOST = '1', '2'

local NO_FINGERPRINT = string.rep('\0', 8) -- payloads are not compared
local FIRST_ATTEMPT, NO_ATTEMPT = '\0\0\0\1', '\0\0\0\0'

local function micros(number)
  return pack('>I7', number)
end
local NOW = micros(now)

local function state_of(mark) return sub(mark, 1, 1) end
local function is_done(state) return state == DONE or state == LONG_DONE end
local function flags_of(mark) return byte(mark, 2) end
local function nonce_of(mark) return sub(mark, 3, 18) end
local function token_of(mark) return sub(mark, 19, 25) end
local function until_of(mark) return (unpack_number('>I7', mark, 26)) end
-- The flags of a reopened mark: it is neither in doubt nor solo.
local function reopened_flags(mark) return char(flags_of(mark) % 4 >= 2 and 2 or 0) end
local function attempt_of(mark) return (unpack_number('>I4', mark, 48)) end
local function claimed_at(mark)
  return state_of(mark) == DONE and token_of(mark) or sub(mark, 33, 39)
end
local function fingerprint_of(mark)
  return state_of(mark) == DONE and sub(mark, 33, 40) or sub(mark, 40, 47)
end

-- The last byte of owner, coordinates and id in a PROCESSING, RETRY or DEAD mark.
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

-- Decodes the last argument, which contains one value of the format for each item.
local function items_in(format, items)
  return { unpack_number('>' .. string.rep(format, items), ARGV[#ARGV]) }
end

-- The forms below store a nonce with its last four bytes first and the four bytes before them next.
-- So the part of the nonce that a DONE mark keeps is adjacent to the fingerprint. These functions
-- convert to this order and back.
local function turned(nonce)
  return sub(nonce, 13, 16) .. sub(nonce, 9, 12) .. sub(nonce, 1, 8)
end
local function turned_back(nonce)
  return sub(nonce, 9, 16) .. sub(nonce, 5, 8) .. sub(nonce, 1, 4)
end

-- The fresh form: PROCESSING, claimed at its token, first attempt. The part that renewals do not
-- change is contiguous, and its owner sends it to settle the mark. The part that the server adds to
-- a claim comes first.
--   1-7 until   8 P   9-15 token   16-23 fingerprint   24-39 nonce, turned   40 flags   41.. as 52..
local function is_fresh_form(stored)
  return byte(stored) < 32 -- the first byte of a time below 2^53; states are letters
end

local function from_fresh_form(fresh)
  local token = sub(fresh, 9, 15)
  return PROCESSING .. sub(fresh, 40, 40) .. turned_back(sub(fresh, 24, 39)) .. token
    .. sub(fresh, 1, 7) .. token .. sub(fresh, 16, 23) .. FIRST_ATTEMPT .. sub(fresh, 41)
end

-- The short form: DONE, claimed at its token, first attempt, no result, as nearly every mark is in
-- the end. Its first parts are bytes 9.. of the fresh form; its last part has 2, 3, 4 or 7 bytes.
--   1-7 token   8-15 fingerprint   16.. nonce, turned, as many bytes as the layout keeps
--   microseconds from the token to the settlement
local function span(micros_after)
  return pack(
    micros_after < 65536 and '>I2' or micros_after < 16777216 and '>I3'
      or micros_after < 4294967296 and '>I4' or '>I7',
    micros_after)
end

local function short_form(mark, nonce_bytes)
  if byte(mark) == DONE_BYTE and #mark == 40 then
    local after = unpack_number('>I7', mark, 26) - unpack_number('>I7', mark, 19)
    if after >= 0 then
      return token_of(mark) .. sub(mark, 33) .. sub(turned(nonce_of(mark)), 1, nonce_bytes)
        .. span(after)
    end
  end
end

-- Returns the settlement time of a mark in the short form.
local function settled_at_of_short(short, nonce_bytes)
  local after = sub(short, 16 + nonce_bytes)
  return unpack_number('>I7', short) + unpack_number('>I7', ZEROS[7 - #after] .. after)
end

-- Restores the mark; zeros replace the lost part of the nonce.
local function from_short_form(short, nonce_bytes)
  return DONE .. '\0' .. turned_back(sub(short, 16, 15 + nonce_bytes) .. ZEROS[16 - nonce_bytes])
    .. sub(short, 1, 7) .. micros(settled_at_of_short(short, nonce_bytes)) .. sub(short, 8, 15)
end

-- Returns whether two marks have the same nonce; the first may have kept only its last bytes.
local function same_end_of_nonce(mark, claim, nonce_bytes)
  local kept, offered = nonce_of(mark), nonce_of(claim)
  return kept == offered or kept == ZEROS[16 - nonce_bytes] .. sub(offered, 17 - nonce_bytes)
end

-- Returns a token greater than the last one. If the mark was lost, the clock makes it greater.
local function token_after(mark)
  return micros(math.max(unpack_number('>I7', mark, 19) + 1, now))
end

local function with_until(mark, until_bytes)
  return sub(mark, 1, 25) .. until_bytes .. sub(mark, 33)
end
