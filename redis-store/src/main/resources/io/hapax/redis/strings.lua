-- The layout "strings": each DONE mark is a string whose life is the retention, with 8 bytes of the
-- nonce. In its short form, if it has one, Redis finds room for all of it in 48 bytes.
--
-- KEYS  6.. one for each item: where its DONE mark is
local items = #KEYS - 5
local NONCE_BYTES = 8
local SHORTEST = 40 -- of a mark that is not in its short form

local function same_nonce(mark, claim)
  return same_end_of_nonce(mark, claim, NONCE_BYTES)
end

local function done_marks()
  local done = redis.call('MGET', unpack(KEYS, 6))
  for i = 1, items do
    if done[i] and #done[i] < SHORTEST then
      done[i] = from_short_form(done[i], NONCE_BYTES)
    end
  end
  return done
end

local function keep_done(i, mark)
  local kept = short_form(mark, NONCE_BYTES)
    or sub(mark, 1, 2) .. ZEROS[16 - NONCE_BYTES] .. sub(mark, 19 - NONCE_BYTES)
  redis.call('SET', KEYS[5 + i], kept, 'PX', ARGV[2])
end

local function drop_done(i)
  redis.call('DEL', KEYS[5 + i])
end

local function flush_done()
  return 0
end
