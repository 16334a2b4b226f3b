-- The layout "strings": each DONE mark is a string that expires after the retention, with 8 bytes of
-- the nonce. In the short form, Redis allocates 48 bytes for it.
--
-- KEYS  6.. one for each item: its DONE mark
local items = #KEYS - 5
local NONCE_BYTES = 8
local SHORTEST_FULL = 40 -- the length of the shortest mark that is not in the short form

local function same_nonce(mark, claim)
  return same_end_of_nonce(mark, claim, NONCE_BYTES)
end

local function done_values()
  return call('MGET', unpack(KEYS, 6))
end

local function is_short(value)
  return #value < SHORTEST_FULL
end

local function done_mark(_, value)
  return is_short(value) and from_short_form(value, NONCE_BYTES) or value
end

local keys, retention_millis = KEYS, ARGV[2]

local function keep_short(i, short)
  call('SET', keys[5 + i], short, 'PX', retention_millis)
end

local function keep_done(i, mark)
  keep_short(
    i,
    short_form(mark, NONCE_BYTES)
      or sub(mark, 1, 2) .. ZEROS[16 - NONCE_BYTES] .. sub(mark, 19 - NONCE_BYTES))
end

local function drop_done(i)
  call('DEL', KEYS[5 + i])
end

local function flush_done()
  return 0
end
