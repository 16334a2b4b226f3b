-- Carries out an operator's decision on one mark.
--
-- ARGV    4 the token that the operator saw   5 R reopen or D force done
--         6 bytes 52.. of an open mark without origin: what a DONE mark has not kept
-- Answer  now, 1 if the mark was changed or 0
local function tail_of(mark)
  local last = 51
  for _ = 1, 3 do -- owner, coordinates, id
    last = last + 2 + unpack_number('>I2', mark, last + 1)
  end
  return sub(mark, 52, last)
end

local function resolve(mark)
  if not mark or token_of(mark) ~= ARGV[4] then
    return 0
  end
  local state = state_of(mark)
  local done, force = is_done(state), ARGV[5] == 'D'
  if (state == 'P' and now < until_of(mark)) or (done and force) then
    return 0
  end
  local rest = nonce_of(mark) .. token_after(mark) .. NOW .. claimed_at(mark)
    .. fingerprint_of(mark) .. NO_ATTEMPT
  if force then
    write_done(1, mark, 'L\0' .. rest, NOW, claimed_at(mark))
    flush()
  else
    write_open(1, mark, 'R' .. reopened_flags(mark) .. rest .. (done and ARGV[6] or tail_of(mark)))
    flush()
    if done then
      drop_done(1) -- moved: the open mark has been written
    end
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
