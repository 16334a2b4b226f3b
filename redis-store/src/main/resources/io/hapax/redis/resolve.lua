-- Carries out an operator's decision on one mark.
--
-- ARGV    4 the token that the operator saw
--         5 the state that the operator saw: P, R, X or D
--         6 R reopen, D force done, A reopen for any payload, K keep done for any payload
--         7 F if a living lease is broken
--         8 bytes 52.. of an open mark without origin: what a DONE mark has not kept
-- Answer  now, 1 if the mark was changed or 0
local function result_of(mark)
  return sub(mark, state_of(mark) == 'D' and 41 or 52)
end

local kind, forced = ARGV[6], ARGV[7] == 'F'
local any_payload = kind == 'A' or kind == 'K'

-- An owner who settles keeps its token, so the state is compared beside it.
local function is_as_seen(mark)
  local state = state_of(mark)
  return token_of(mark) == ARGV[4] and (is_done(state) and 'D' or state) == ARGV[5]
end

-- Whether the decision has nothing to change.
local function is_vain(mark)
  local done = is_done(state_of(mark))
  return (kind == 'D' and done)
    or (kind == 'K' and (not done or fingerprint_of(mark) == NO_FINGERPRINT))
end

local function resolve(mark)
  if not mark or not is_as_seen(mark) or is_vain(mark) then
    return 0
  end
  local state = state_of(mark)
  local done = is_done(state)
  if state == 'P' and now < until_of(mark) and not forced then
    return 0
  end
  local rest = nonce_of(mark) .. token_after(mark) .. NOW .. claimed_at(mark)
    .. (any_payload and NO_FINGERPRINT or fingerprint_of(mark)) .. NO_ATTEMPT
  if kind == 'D' then
    write_done(1, mark, 'L\0' .. rest, NOW, claimed_at(mark))
  elseif kind == 'K' then
    remove_open(1) -- what a loss of data has left beside it
    write_done(1, mark, 'L\0' .. rest .. result_of(mark), NOW, claimed_at(mark))
  else
    write_open(1, mark, 'R' .. reopened_flags(mark) .. rest .. (done and ARGV[8] or sub(mark, 52, end_of_id(mark))))
  end
  flush()
  if done and kind ~= 'K' then
    drop_done(1) -- moved: the open mark has been written
  end
  return 1
end

read()
local mark = mark_at(1)
local changed = resolve(mark)
if changed == 0 and mark and is_done(state_of(mark)) then
  remove_open(1) -- an operator may have seen it in a list
  flush()
end
return { now, changed }
