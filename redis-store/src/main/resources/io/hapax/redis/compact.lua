-- The layout "compact": DONE marks are fields of buckets, small hashes that Redis keeps in one piece
-- of memory each. The store key determines the bucket. So the number of the bucket replaces the
-- first bytes of the store key, and the field is the rest.
--
-- KEYS  6.. one for each item: its result (string)   then one for each item: its bucket
--
-- A value is the short form of a mark with 4 bytes of the nonce. A mark without a short form has a
-- value of 38 bytes:
--   1-8 fingerprint   9-12 nonce   13-19 token   20-26 settled at   27-33 claimed at   34-37 attempt
--   38 1: has a result
-- Field "h" is the head of a bucket:
--   1-7 no mark in it was settled earlier   8-14 the earliest expiry of the bucket
--   15-21 during a sweep in steps: as 1-7, for the marks checked so far   22.. the cursor of the sweep
local items = (#KEYS - 5) / 2
local NONCE_BYTES = 4
local FIELD = -ARGV[3]
local LONG = 38
local RETENTION = ARGV[2] * 1000
local SLACK = math.ceil(RETENTION / 8) -- a bucket is swept at most eight times in a retention

local function number_at(bytes, at) return (unpack_number('>I7', bytes, at)) end

local function same_nonce(mark, claim)
  return same_end_of_nonce(mark, claim, NONCE_BYTES)
end

local function settled_at(value)
  return #value == LONG and number_at(value, 20) or settled_at_of_short(value, NONCE_BYTES)
end

local function is_over(value)
  return settled_at(value) + RETENTION < now
end

local function is_short(value)
  return #value < LONG
end

local function done_mark(i, value)
  if is_short(value) then
    return from_short_form(value, NONCE_BYTES)
  end
  local result = sub(value, 38) == '\1' and call('GET', KEYS[5 + i]) or ''
  return LONG_DONE .. '\0' .. ZEROS[16 - NONCE_BYTES] .. sub(value, 9, 33) .. sub(value, 1, 8)
    .. sub(value, 34, 37) .. result
end

-- Returns the value of a mark and its result, which is stored separately.
local function value_of(mark)
  local short = short_form(mark, NONCE_BYTES)
  if short then
    return short, ''
  end
  local plain = state_of(mark) == DONE
  local attempt = plain and FIRST_ATTEMPT or sub(mark, 48, 51)
  local result = sub(mark, plain and 41 or 52)
  return fingerprint_of(mark) .. sub(mark, 15, 32) .. claimed_at(mark) .. attempt
    .. (result == '' and '\0' or '\1'), result
end

local function bucket_of(i) return KEYS[5 + items + i] end
local function field_of(i) return sub(KEYS[5 + i], FIELD) end

-- Returns the values of DONE marks that have not expired; an expired mark counts as removed.
local function done_values(skipped)
  local done = {}
  for i = 1, items do
    local value = not skipped[i] and call('HGET', bucket_of(i), field_of(i))
    done[i] = value and not is_over(value) and value
  end
  return done
end

-- Writes are collected and sent with one command for each bucket.
local touched, bucket_writes = {}, {}

local function keep_short(i, value)
  local bucket = bucket_of(i)
  local writes = bucket_writes[bucket]
  if not writes then
    writes = {}
    bucket_writes[bucket] = writes
    touched[#touched + 1] = bucket
  end
  writes[#writes + 1] = field_of(i)
  writes[#writes + 1] = value
end

local function keep_done(i, mark)
  local value, result = value_of(mark)
  if result ~= '' then -- it is kept a little longer than its mark
    call('SET', KEYS[5 + i], result, 'PX', ARGV[2] + 1000)
  end
  keep_short(i, value)
end

local function drop_done(i)
  call('HDEL', bucket_of(i), field_of(i))
  call('DEL', KEYS[5 + i])
end

-- Removes at most the given number of expired marks. Checks all marks of a small bucket, or a part
-- of a large one. Returns the new head, the number of removals, the number of checked fields, and
-- whether the whole bucket has been checked.
local function sweep(bucket, head, most)
  local least, cursor = now, '0'
  if #head > 14 then
    least, cursor = number_at(head, 15), sub(head, 22)
  end
  local page = call('HSCAN', bucket, cursor, 'COUNT', 128)
  local found, over, cut = page[2], {}, false
  for at = 1, #found, 2 do
    if #found[at] > 1 then -- not the head
      if not is_over(found[at + 1]) then
        least = math.min(least, settled_at(found[at + 1]))
      elseif #over < most then
        over[#over + 1] = found[at]
      else
        cut = true
      end
    end
  end
  if #over > 0 then
    call('HDEL', bucket, unpack(over))
  end
  if cut then
    return head, #over, #found / 2, false -- repeat this step
  elseif page[1] == '0' then
    return micros(least) .. sub(head, 8, 14), #over, #found / 2, true
  end
  return sub(head, 1, 14) .. micros(least) .. page[1], #over, #found / 2, false
end

local function is_due(head)
  return #head > 14 or number_at(head, 1) + RETENTION + SLACK < now
end

-- Sends the collected writes. Returns the number of fields of one bucket.
local function flush_done()
  for _, bucket in ipairs(touched) do
    local writes = bucket_writes[bucket]
    local stored = call('HGET', bucket, 'h')
    local head = stored or NOW .. micros(0)
    if stored and is_due(head) then
      head = sweep(bucket, head, 1000)
    end
    local ends = number_at(head, 8)
    if ends < now + RETENTION then
      head = sub(head, 1, 7) .. micros(now + RETENTION + SLACK) .. sub(head, 15)
    end
    if head ~= stored then
      writes[#writes + 1] = 'h'
      writes[#writes + 1] = head
    end
    call('HSET', bucket, unpack(writes))
    if ends < now + RETENTION then
      call('PEXPIRE', bucket, math.ceil((RETENTION + SLACK) / 1000))
    end
  end
  return touched[1] and call('HLEN', touched[1]) or 0
end
