-- Reads the marks of the call, wherever they are stored, and writes them.
--
-- A mark is stored in one place. A claim reads all places. A settlement or renewal reads the
-- PROCESSING marks, which nearly always include its mark, and the other places only if one is
-- missing there.
-- If a part of the data was lost or restored, a DONE mark may exist beside an open one. Then the
-- DONE mark counts: the message cannot be claimed, and the open mark is removed.
local processing, waiting, done -- by item, as they are stored

local function read_processing()
  processing = call('HMGET', KEYS[1], unpack(KEYS, 6, 5 + items))
end

-- Reads the other places. A layout that reads each DONE mark separately skips the given items.
local function read_others(skipped)
  -- usually no mark waits and none is dead
  waiting = call('HLEN', KEYS[2]) > 0 and call('HMGET', KEYS[2], unpack(KEYS, 6, 5 + items)) or {}
  done = done_values(skipped)
end

local function read()
  read_processing()
  read_others({})
end

local function open_at(i)
  local held = processing[i]
  if held then
    return is_fresh_form(held) and from_fresh_form(held) or held
  end
  return waiting and waiting[i]
end

local function done_at(i)
  return done and done[i] and done_mark(i, done[i])
end

-- Returns the mark of an item after read().
local function mark_at(i)
  return done_at(i) or open_at(i)
end

local function same_claim(mark, claim)
  return token_of(mark) == token_of(claim) and same_nonce(mark, claim)
end

-- Writes are collected and sent with one command of each kind; the layout sends those of DONE marks.
local written = { {}, {} } -- fields and values of the hashes KEYS[1] and KEYS[2]
local removed = { {}, {} } -- fields of these hashes
local indexed, unindexed = { {}, {} }, { {}, {} } -- members of KEYS[3] and KEYS[4]

local function write_at(place, i, stored)
  local writes = written[place]
  writes[#writes + 1] = KEYS[5 + i]
  writes[#writes + 1] = stored
end

local function remove_at(place, i)
  local removals = removed[place]
  removals[#removals + 1] = KEYS[5 + i]
end

local function is_in_doubt(mark)
  return mark and (state_of(mark) == PROCESSING or state_of(mark) == RETRY) and flags_of(mark) >= 4
end
local function is_dead(mark)
  return mark and state_of(mark) == DEAD
end

local function reindex(i, before, after)
  for index, belongs in ipairs({ is_in_doubt, is_dead }) do
    local was_indexed, is_indexed = belongs(before), belongs(after)
    if is_indexed and not was_indexed then
      local list = indexed[index]
      list[#list + 1] = 0
      list[#list + 1] = KEYS[5 + i]
    elseif was_indexed and not is_indexed then
      local list = unindexed[index]
      list[#list + 1] = KEYS[5 + i]
    end
  end
end

-- Writes an open or dead mark, which has no expiry.
local function write_open(i, before, mark)
  local place = state_of(mark) == PROCESSING and 1 or 2
  write_at(place, i, mark)
  if processing[i] and place == 2 then
    remove_at(1, i)
  elseif waiting and waiting[i] and place == 1 then
    remove_at(2, i)
  end
  reindex(i, before, mark)
end

-- Changes the end of the lease of a PROCESSING mark.
local function write_lease(i, mark, until_bytes)
  local held = processing[i]
  write_at(
    1, i, is_fresh_form(held) and until_bytes .. sub(held, 8) or with_until(mark, until_bytes))
end

-- Writes a DONE mark and removes the open one.
local function write_done(i, before, claim, until_bytes, claimed_bytes)
  local mark
  if claimed_bytes == token_of(claim) and sub(claim, 48, 51) == FIRST_ATTEMPT then
    mark = DONE .. sub(claim, 2, 25) .. until_bytes .. sub(claim, 40, 47) .. sub(claim, 52)
  else
    mark = LONG_DONE .. sub(claim, 2, 25) .. until_bytes .. claimed_bytes .. sub(claim, 40)
  end
  keep_done(i, mark)
  if processing[i] then
    remove_at(1, i)
  elseif waiting and waiting[i] then
    remove_at(2, i)
  end
  reindex(i, before, false)
end

-- Removes an open mark that exists beside a DONE mark.
local function remove_open(i)
  local left = open_at(i)
  if left then
    remove_at(processing[i] and 1 or 2, i)
    reindex(i, left, false)
  end
end

-- Sends the collected writes. Returns the number of fields of one written bucket, 0 without buckets.
local function flush()
  for place = 1, 2 do
    if #written[place] > 0 then
      call('HSET', KEYS[place], unpack(written[place]))
    end
    if #removed[place] > 0 then
      call('HDEL', KEYS[place], unpack(removed[place]))
    end
    if #indexed[place] > 0 then
      call('ZADD', KEYS[2 + place], unpack(indexed[place]))
    end
    if #unindexed[place] > 0 then
      call('ZREM', KEYS[2 + place], unpack(unindexed[place]))
    end
  end
  return flush_done()
end

-- Returns the answer codes of all items; an empty string if every code is USUAL.
local function joined(codes, others)
  return #others > 0 and table.concat(codes) or ''
end
