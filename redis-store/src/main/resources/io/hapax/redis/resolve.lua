-- Executes an operator's decision on one mark.
--
-- ARGV    4 the token that the operator saw   5 the state that the operator saw, DONE for both forms
--         6 the decision   7 F to break a living lease, else -
--         8 bytes 52.. of an open mark without origin, which a DONE mark does not keep
-- Answer  now; 1 if the mark was changed, else 0
local FORCE_DONE, REOPEN_ANY_PAYLOAD = 'D', 'A' -- else reopen
local DONE_ANY_PAYLOAD, FORGET = 'K', 'F'
local kind, forced = ARGV[6], ARGV[7] == 'F'
local stays_done = kind == DONE_ANY_PAYLOAD or kind == FORGET
local any_payload = kind == REOPEN_ANY_PAYLOAD or kind == DONE_ANY_PAYLOAD

local function result_of(mark)
  return sub(mark, state_of(mark) == DONE and 41 or 52)
end

-- Compares the state, too, because an owner that settles keeps its token.
local function is_as_seen(mark)
  local state = state_of(mark)
  return token_of(mark) == ARGV[4] and (is_done(state) and DONE or state) == ARGV[5]
end

-- Returns whether the decision would change nothing.
local function is_redundant(mark)
  local done = is_done(state_of(mark))
  return (kind == FORCE_DONE and done)
    or (stays_done and not done)
    or (kind == DONE_ANY_PAYLOAD and fingerprint_of(mark) == NO_FINGERPRINT)
    or (kind == FORGET and result_of(mark) == '')
end

local function resolve(mark)
  if not mark or not is_as_seen(mark) or is_redundant(mark) then
    return 0
  end
  local state = state_of(mark)
  local done = is_done(state)
  if state == PROCESSING and now < until_of(mark) and not forced then
    return 0
  end
  local rest = nonce_of(mark) .. token_after(mark) .. NOW .. claimed_at(mark)
    .. (any_payload and NO_FINGERPRINT or fingerprint_of(mark)) .. NO_ATTEMPT
  if kind == FORCE_DONE then
    write_done(1, mark, LONG_DONE .. '\0' .. rest, NOW, claimed_at(mark))
  elseif stays_done then
    remove_open(1) -- an open mark may exist beside it after a loss of data
    local result = kind == FORGET and '' or result_of(mark)
    if kind == FORGET then
      drop_done(1) -- a layout may store the result separately
    end
    write_done(1, mark, LONG_DONE .. '\0' .. rest .. result, NOW, claimed_at(mark))
  else
    local tail = done and ARGV[8] or sub(mark, 52, end_of_id(mark))
    write_open(1, mark, RETRY .. reopened_flags(mark) .. rest .. tail)
  end
  flush()
  if done and not stays_done then
    drop_done(1) -- the open mark replaces it
  end
  return 1
end

read()
local mark = mark_at(1)
local changed = resolve(mark)
if changed == 0 and mark and is_done(state_of(mark)) then
  remove_open(1) -- the operator may have seen it in a list
  flush()
end
return { now, changed }
