-- The marks of the call, wherever they are, and how they are written.
--
-- A mark is in one place. Who claims looks into all of them. Who settles or renews looks among those
-- that are PROCESSING, where its mark nearly always is, and elsewhere only if one is missing there.
-- Should a DONE mark stand beside an open one all the same, because a part of the data was lost or
-- brought back, it is the one that counts: nobody claims the message, and the open one is removed.
local processing, waiting, done -- by item, as they are kept

local function read_processing()
  processing = call('HMGET', KEYS[1], unpack(KEYS, 6, 5 + items))
end

-- DONE marks of the items but those that are passed over, if the layout looks at each by itself.
local function read_others(passed_over)
  -- mostly nothing waits and nothing is dead
  waiting = call('HLEN', KEYS[2]) > 0 and call('HMGET', KEYS[2], unpack(KEYS, 6, 5 + items)) or {}
  done = done_values(passed_over)
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

-- For whom everything was read.
local function mark_at(i)
  return done_at(i) or open_at(i)
end

local function same_claim(mark, claim)
  return token_of(mark) == token_of(claim) and same_nonce(mark, claim)
end

-- Writes are gathered and sent with one command for each kind, DONE marks aside.
local written = { {}, {} } -- fields and values, of the hashes in KEYS[1] and KEYS[2]
local removed = { {}, {} } -- fields of them
local added, dropped = { {}, {} }, { {}, {} } -- members of KEYS[3] and KEYS[4]

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
  return mark and (state_of(mark) == 'P' or state_of(mark) == 'R') and flags_of(mark) >= 4
end
local function is_dead(mark)
  return mark and state_of(mark) == 'X'
end

local function reindex(i, before, after)
  for index, belongs in ipairs({ is_in_doubt, is_dead }) do
    local stood, stands = belongs(before), belongs(after)
    if stands and not stood then
      local list = added[index]
      list[#list + 1] = 0
      list[#list + 1] = KEYS[5 + i]
    elseif stood and not stands then
      local list = dropped[index]
      list[#list + 1] = KEYS[5 + i]
    end
  end
end

-- An open or dead mark. It has no life of its own: somebody has to end it.
local function write_open(i, before, mark)
  local place = state_of(mark) == 'P' and 1 or 2
  write_at(place, i, mark)
  if processing[i] and place == 2 then
    remove_at(1, i)
  elseif waiting and waiting[i] and place == 1 then
    remove_at(2, i)
  end
  reindex(i, before, mark)
end

-- Another end of the lease of a mark that is PROCESSING.
local function write_lease(i, mark, until_bytes)
  local held = processing[i]
  write_at(
    1, i, is_fresh_form(held) and until_bytes .. sub(held, 8) or with_until(mark, until_bytes))
end

-- A DONE mark, moved out of the open ones.
local function write_done(i, before, claim, until_bytes, claimed_bytes)
  local mark
  if claimed_bytes == token_of(claim) and sub(claim, 48, 51) == FIRST_ATTEMPT then
    mark = 'D' .. sub(claim, 2, 25) .. until_bytes .. sub(claim, 40, 47) .. sub(claim, 52)
  else
    mark = 'L' .. sub(claim, 2, 25) .. until_bytes .. claimed_bytes .. sub(claim, 40)
  end
  keep_done(i, mark)
  if processing[i] then
    remove_at(1, i)
  elseif waiting and waiting[i] then
    remove_at(2, i)
  end
  reindex(i, before, false)
end

-- Removes what stands open beside a DONE mark.
local function remove_open(i)
  local left = open_at(i)
  if left then
    remove_at(processing[i] and 1 or 2, i)
    reindex(i, left, false)
  end
end

-- Gives how many fields one of the buckets has that were written, 0 if there are none.
local function flush()
  for place = 1, 2 do
    if #written[place] > 0 then
      call('HSET', KEYS[place], unpack(written[place]))
    end
    if #removed[place] > 0 then
      call('HDEL', KEYS[place], unpack(removed[place]))
    end
    if #added[place] > 0 then
      call('ZADD', KEYS[2 + place], unpack(added[place]))
    end
    if #dropped[place] > 0 then
      call('ZREM', KEYS[2 + place], unpack(dropped[place]))
    end
  end
  return flush_done()
end

-- What was said of each item in a letter; nothing if there are no others than usual ones.
local function letters(said, others)
  return #others > 0 and table.concat(said) or ''
end
