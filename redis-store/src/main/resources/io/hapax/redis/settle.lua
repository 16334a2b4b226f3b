-- Settles claims, and moves the marks that become DONE.
--
-- ARGV    4 for each item: bytes 8-39 of the fresh form of its claim; then, behind 4 bytes of
--         length, the verdict (1 byte), flags (1), attempt (4), the time from now to its "until"
--         (7), and the bytes from 52 on of the mark that the verdict makes
-- Answer  now; the number of fields of one written bucket; a code for each item, or nothing if
--         every claim is settled: USUAL if it is settled, MARK_LOST if it is settled and its mark
--         was lost, else the state of the mark that fences it
local RELEASE = 'F' -- the other verdicts are named like the state that they make: D, R, X
local STATE_AFTER = { D = DONE, R = RETRY, F = RETRY, X = DEAD }
local SHORTEST = 13 -- the length of a verdict without result and origin
local arguments = items_in('c32I4c0', items)

-- Returns the mark that the verdict makes of the claim; its "until" counts from now.
local function requested(claim, verdict)
  return sub(verdict, 1, 2) .. turned_back(sub(claim, 17, 32)) .. sub(claim, 2, 8)
    .. sub(verdict, 7, 13) .. ZEROS[7] .. sub(claim, 9, 16) .. sub(verdict, 3, 6) .. sub(verdict, 14)
end

local function write(i, before, verdict, mark, claimed_bytes)
  local delay = until_of(mark)
  local until_bytes = delay == 0 and NOW or micros(now + delay)
  if verdict == DONE then
    write_done(i, before, mark, until_bytes, claimed_bytes)
  else
    write_open(
      i,
      before,
      STATE_AFTER[verdict] .. sub(mark, 2, 25) .. until_bytes .. claimed_bytes .. sub(mark, 40))
  end
end

-- Makes a PROCESSING mark without an attempt due now.
local function reopen(i, mark)
  write_open(i, mark, RETRY .. reopened_flags(mark) .. sub(mark, 3, 25) .. NOW .. sub(mark, 33))
end

local function settle(i, mark, next)
  local verdict = state_of(next)
  if not mark then
    if verdict == RELEASE then
      return USUAL -- the handler did not start, so no attempt has to be given back
    end
    if verdict ~= DEAD then -- a lost message may have been redelivered on purpose
      write(i, false, verdict, next, NOW)
    end
    return MARK_LOST
  end
  local state = state_of(mark)
  if same_claim(mark, next) then
    if verdict == DEAD and (state == PROCESSING or state == RETRY) and attempt_of(mark) == 0 then
      if state == PROCESSING then
        reopen(i, mark)
      end
      return MARK_LOST -- written again after a loss: the message may have been redelivered, too
    elseif state == PROCESSING then
      write(i, mark, verdict, next, claimed_at(mark))
      return USUAL
    elseif STATE_AFTER[verdict] == (is_done(state) and DONE or state) then
      return USUAL -- the settlement was sent again
    end
  end
  return state
end

-- Returns the end of the short form of a mark that is settled now; nothing if the clock went back
-- since its claim. Neighbours mostly have the same token.
local last_token, last_span
local function span_since(token)
  if token ~= last_token then
    local after = now - unpack_number('>I7', token)
    last_token, last_span = token, after >= 0 and span(after)
  end
  return last_span
end

-- Settles fresh claims as DONE without a result first, and then the others.
read_processing()
local keys, removals, removed_so_far = KEYS, removed[1], 0
local codes, others = {}, {}
for i = 1, items do
  local held, claim, verdict = processing[i], arguments[2 * i - 1], arguments[2 * i]
  local passed = held and #verdict == SHORTEST and byte(verdict) == DONE_BYTE
    and sub(held, 8, 39) == claim and span_since(sub(claim, 2, 8))
  if passed then
    keep_short(i, sub(claim, 2, 16 + NONCE_BYTES) .. passed)
    removed_so_far = removed_so_far + 1
    removals[removed_so_far] = keys[5 + i]
    codes[i] = USUAL
  else
    others[#others + 1] = i
  end
end
for _, i in ipairs(others) do
  if not processing[i] and not waiting then
    read_others(processing)
  end
  codes[i] = settle(i, open_at(i) or done_at(i), requested(arguments[2 * i - 1], arguments[2 * i]))
end
local fields = flush()
return { now, fields, joined(codes, others) }
