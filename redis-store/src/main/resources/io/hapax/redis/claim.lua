-- Claims messages.
--
-- ARGV    4 the canary to write if there is none   5 lease, microseconds
--         6 for each item: its deadline, after which the claim must not be executed (7 bytes); then,
--         behind 4 bytes of length, the part of its mark's fresh form that follows the token
-- Answer  now; the canary; a code for each item, or nothing if every claim is fresh; then the
--         details of the codes that have any
local DUE_RETRY = 'A' --       mark-head deferral
local TAKEN_OVER = 'T' --      mark-head old-mark
local RESENT = 'S' --          mark
local BUSY = 'B' --            until
local SUSPECT = 'U' --         mark-head deferral
local ALREADY_DONE = 'D' --    mark
local OWN_DONE = 'O' --        mark: settled under the nonce of this claim
local SHORT_DONE = 'd' --      mark in the short form
local OWN_SHORT_DONE = 'o' --  mark in the short form
local ALREADY_DEAD = 'X' --    mark
local CONFLICT = 'C' --        state
local TOO_LATE = 'L' --        no detail, like USUAL: fresh, with the token now
-- A mark-head is bytes 1-51 of a mark; a deferral is the detail of a PROCESSING or RETRY mark.
local lease_until = now + ARGV[5]
local LEASE_UNTIL = micros(lease_until)
local FRESH = LEASE_UNTIL .. PROCESSING .. NOW
local arguments = items_in('c7I4c0', items)

local details = {}

local function answer(code, detail)
  details[#details + 1] = detail
  return code
end

-- Returns the mark that a fresh claim writes; its "until" is the deadline of the claim.
local function requested(deadline, body)
  return PROCESSING .. sub(body, 25, 25) .. turned_back(sub(body, 9, 24)) .. ZEROS[7] .. deadline
    .. ZEROS[7] .. sub(body, 1, 8) .. FIRST_ATTEMPT .. sub(body, 26)
end

local function acquire(i, mark, request)
  local state, last = state_of(mark), flags_of(mark)
  local takeover = state == PROCESSING
  local last_solo, last_external, in_doubt = last % 2 == 1, last % 4 >= 2, last >= 4
  local number = attempt_of(mark) + 1
  if takeover and not last_solo then
    number = math.max(1, number - 1) -- losing a claim in a shared batch costs no attempt
  end
  in_doubt = in_doubt or (takeover and last_external)
  local fingerprint = fingerprint_of(request)
  if fingerprint == NO_FINGERPRINT then
    fingerprint = fingerprint_of(mark) -- a known fingerprint is kept
  end
  local acquired = PROCESSING .. char(flags_of(request) + (in_doubt and 4 or 0))
    .. nonce_of(request) .. token_after(mark) .. LEASE_UNTIL .. NOW .. fingerprint
    .. pack('>I4', number)
  local deferral = deferral_of(mark)
  write_open(i, mark, acquired .. sub(request, 52) .. deferral)
  if takeover then
    return answer(TAKEN_OVER, acquired .. mark)
  end
  return answer(DUE_RETRY, acquired .. deferral)
end

local function is_late(i)
  return now > unpack_number('>I7', arguments[2 * i - 1])
end

-- Claims a message that is not simply fresh.
local function claim(i)
  local mark, request = mark_at(i), requested(arguments[2 * i - 1], arguments[2 * i])
  if mark then
    local known, offered = fingerprint_of(mark), fingerprint_of(request)
    if known ~= offered and known ~= NO_FINGERPRINT and offered ~= NO_FINGERPRINT then
      return answer(CONFLICT, state_of(mark))
    end
  end
  if is_late(i) then
    return TOO_LATE
  end
  local state, own = state_of(mark), same_nonce(mark, request)
  if is_done(state) then
    remove_open(i)
    return answer(own and OWN_DONE or ALREADY_DONE, mark)
  elseif state == DEAD then
    return answer(ALREADY_DEAD, mark)
  elseif state == PROCESSING and own then
    write_lease(i, mark, LEASE_UNTIL)
    return answer(RESENT, with_until(mark, LEASE_UNTIL))
  elseif now < until_of(mark) then
    return answer(BUSY, sub(mark, 26, 32))
  elseif state == RETRY and own then
    return TOO_LATE -- the claim with this nonce was already released
  elseif state == PROCESSING and flags_of(request) % 2 == 0 then
    return answer(SUSPECT, sub(mark, 1, 51) .. deferral_of(mark)) -- takeover needs a solo claim
  end
  return acquire(i, mark, request)
end

-- Answers a usual duplicate; returns nothing if the mark needs a closer look.
local function claim_done(i)
  local short, body = done[i], arguments[2 * i]
  if short and is_short(short) and not (processing[i] or waiting[i]) and not is_late(i)
    and sub(short, 8, 15) == sub(body, 1, 8) then
    local own = sub(short, 16, 15 + NONCE_BYTES) == sub(body, 9, 8 + NONCE_BYTES)
    return answer(own and OWN_SHORT_DONE or SHORT_DONE, short)
  end
end

local canary = call('GET', KEYS[5])
if not canary then
  canary = ARGV[4]
  call('SET', KEYS[5], canary)
end

-- Claims fresh messages first, with as little work as possible, and then those that have a mark.
read()
local keys, fresh, written_so_far = KEYS, written[1], 0
local codes, others = {}, {}
local last_deadline, late -- neighbours mostly have the same deadline
for i = 1, items do
  local deadline = arguments[2 * i - 1]
  if deadline ~= last_deadline then
    last_deadline, late = deadline, now > unpack_number('>I7', deadline)
  end
  if late or processing[i] or done[i] or waiting[i] then
    others[#others + 1] = i
  else
    fresh[written_so_far + 1] = keys[5 + i]
    fresh[written_so_far + 2] = FRESH .. arguments[2 * i]
    written_so_far = written_so_far + 2
    codes[i] = USUAL
  end
end
for _, i in ipairs(others) do
  codes[i] = claim_done(i) or claim(i)
end
flush()
return { now, canary, joined(codes, others), unpack(details) }
