-- Ends claims, and moves the marks that are done.
--
-- ARGV    4 for each item: bytes 8-39 of the fresh form of its claim, then, behind 4 bytes of length,
--         the verdict (1 byte: D done, R retry, F release, X dead), flags (1), attempt (4), how long
--         from now its "until" is (7), and what stands from byte 52 of the mark that the verdict makes
-- Answer  now, how many fields one of the written buckets has, a letter for each item or nothing if
--         all are settled
--         1 settled    2 settled, the mark was lost    any other: fenced, the mark's state
local AFTER = { D = 'D', R = 'R', F = 'R', X = 'X' }
local ENDS = 13 -- where a verdict ends that has neither result nor origin with it
local told = items_in('c32I4c0', items)

-- The mark that the verdict makes of the claim; its "until" counts from now.
local function wanted(claim, verdict)
  return sub(verdict, 1, 2) .. turned_back(sub(claim, 17, 32)) .. sub(claim, 2, 8)
    .. sub(verdict, 7, 13) .. ZEROS[7] .. sub(claim, 9, 16) .. sub(verdict, 3, 6) .. sub(verdict, 14)
end

local function write(i, before, verdict, mark, claimed_bytes)
  local delay = until_of(mark)
  local until_bytes = delay == 0 and NOW or micros(now + delay)
  if verdict == 'D' then
    write_done(i, before, mark, until_bytes, claimed_bytes)
  else
    write_open(
      i,
      before,
      AFTER[verdict] .. sub(mark, 2, 25) .. until_bytes .. claimed_bytes .. sub(mark, 40))
  end
end

-- A mark that is PROCESSING and has no attempt: due now.
local function reopen(i, mark)
  write_open(i, mark, 'R' .. reopened_flags(mark) .. sub(mark, 3, 25) .. NOW .. sub(mark, 33))
end

local function settle(i, mark, next)
  local verdict = state_of(next)
  if not mark then
    if verdict == 'F' then
      return '1' -- nothing was started, and there is nothing to give back
    end
    if verdict ~= 'X' then -- its message may have been brought back since
      write(i, false, verdict, next, NOW)
    end
    return '2'
  end
  local state = state_of(mark)
  if same_claim(mark, next) then
    if verdict == 'X' and (state == 'P' or state == 'R') and attempt_of(mark) == 0 then
      if state == 'P' then
        reopen(i, mark)
      end
      return '2' -- it was written anew: its message may have been brought back, too
    elseif state == 'P' then
      write(i, mark, verdict, next, claimed_at(mark))
      return '1'
    elseif AFTER[verdict] == (is_done(state) and 'D' or state) then
      return '1' -- sent again
    end
  end
  return state
end

-- What follows the token in the short form of a mark that is settled now; nothing if the clock has been
-- set back since it was claimed. That of the item before is mostly the same.
local last_token, last_span
local function span_since(token)
  if token ~= last_token then
    local after = now - unpack_number('>I7', token)
    last_token, last_span = token, after >= 0 and span(after)
  end
  return last_span
end

-- What its owner has claimed afresh and is done with now, without a result, first; then the others.
read_processing()
local keys, removals, removed_so_far = KEYS, removed[1], 0
local said, others = {}, {}
for i = 1, items do
  local held, claim, verdict = processing[i], told[2 * i - 1], told[2 * i]
  local passed = held and #verdict == ENDS and byte(verdict) == 68 and sub(held, 8, 39) == claim
    and span_since(sub(claim, 2, 8))
  if passed then
    keep_short(i, sub(claim, 2, 16 + NONCE_BYTES) .. passed)
    removed_so_far = removed_so_far + 1
    removals[removed_so_far] = keys[5 + i]
    said[i] = '1'
  else
    others[#others + 1] = i
  end
end
for _, i in ipairs(others) do
  if not processing[i] and not waiting then
    read_others(processing)
  end
  said[i] = settle(i, open_at(i) or done_at(i), wanted(told[2 * i - 1], told[2 * i]))
end
local fields = flush()
return { now, fields, letters(said, others) }
