-- Claims messages.
--
-- ARGV    4 what to write as the canary if there is none   5 lease, microseconds
--         6 for each item: the last moment at which the claim may be executed (7 bytes), then, behind
--         4 bytes of length, what follows the token in the fresh form of its mark
-- Answer  now, the canary, a letter for each item or nothing if all are fresh, then what the letters
--         have with them
--         1 fresh, its token is now    A mark-head deferral: due retry
--         T mark-head old-mark: taken over
--         S mark: sent again    B until: busy    U mark-head deferral: suspect    X mark: dead
--         D mark: done    O mark: done under this very nonce    d o the same, short forms
--         C state: conflict    L too late
--         (a mark-head is bytes 1-51 of a mark; a deferral is the detail of a P or R mark)
local lease_until = now + ARGV[5]
local LEASE_UNTIL = micros(lease_until)
local FRESH = LEASE_UNTIL .. 'P' .. NOW
local told = items_in('c7I4c0', items)

local with_them = {} -- what the letters have with them

local function say(letter, more)
  with_them[#with_them + 1] = more
  return letter
end

-- The mark that a fresh claim writes; its "until" is the last moment of the claim.
local function asked(last_moment, body)
  return 'P' .. sub(body, 25, 25) .. turned_back(sub(body, 9, 24)) .. ZEROS[7] .. last_moment
    .. ZEROS[7] .. sub(body, 1, 8) .. FIRST_ATTEMPT .. sub(body, 26)
end

local function acquire(i, mark, request)
  local state, last = state_of(mark), flags_of(mark)
  local takeover = state == 'P'
  local last_solo, last_external, in_doubt = last % 2 == 1, last % 4 >= 2, last >= 4
  local number = attempt_of(mark) + 1
  if takeover and not last_solo then
    number = math.max(1, number - 1) -- a claim that shared its batch costs no attempt
  end
  in_doubt = in_doubt or (takeover and last_external)
  local fingerprint = fingerprint_of(request)
  if fingerprint == NO_FINGERPRINT then
    fingerprint = fingerprint_of(mark) -- what is known of the payload stays known
  end
  local acquired = 'P' .. char(flags_of(request) + (in_doubt and 4 or 0)) .. nonce_of(request)
    .. token_after(mark) .. LEASE_UNTIL .. NOW .. fingerprint .. pack('>I4', number)
  local deferral = deferral_of(mark)
  write_open(i, mark, acquired .. sub(request, 52) .. deferral)
  if takeover then
    return say('T', acquired .. mark)
  end
  return say('A', acquired .. deferral)
end

local function is_late(i)
  return now > unpack_number('>I7', told[2 * i - 1])
end

-- Any message that is not simply fresh.
local function claim(i)
  local mark, request = mark_at(i), asked(told[2 * i - 1], told[2 * i])
  if mark then
    local known, offered = fingerprint_of(mark), fingerprint_of(request)
    if known ~= offered and known ~= NO_FINGERPRINT and offered ~= NO_FINGERPRINT then
      return say('C', state_of(mark))
    end
  end
  if is_late(i) then
    return 'L'
  end
  local state, own = state_of(mark), same_nonce(mark, request)
  if is_done(state) then
    remove_open(i)
    return say(own and 'O' or 'D', mark)
  elseif state == 'X' then
    return say('X', mark)
  elseif state == 'P' and own then
    write_lease(i, mark, LEASE_UNTIL)
    return say('S', with_until(mark, LEASE_UNTIL))
  elseif now < until_of(mark) then
    return say('B', sub(mark, 26, 32))
  elseif state == 'R' and own then
    return 'L' -- this nonce has been given back
  elseif state == 'P' and flags_of(request) % 2 == 0 then
    return say('U', sub(mark, 1, 51) .. deferral_of(mark)) -- only a solo claim takes over
  end
  return acquire(i, mark, request)
end

-- A duplicate of the usual kind; nothing if it has to be looked at more closely.
local function claim_done(i)
  local short, body = done[i], told[2 * i]
  if short and is_short(short) and not (processing[i] or waiting[i]) and not is_late(i)
    and sub(short, 8, 15) == sub(body, 1, 8) then
    local own = sub(short, 16, 15 + NONCE_BYTES) == sub(body, 9, 8 + NONCE_BYTES)
    return say(own and 'o' or 'd', short)
  end
end

local canary = call('GET', KEYS[5])
if not canary then
  canary = ARGV[4]
  call('SET', KEYS[5], canary)
end

-- Fresh messages first, with as little as can be done for each; then those that have a mark.
read()
local keys, fresh, written_so_far = KEYS, written[1], 0
local said, others = {}, {}
local last_moment, late -- those of the item before are mostly the same
for i = 1, items do
  local moment = told[2 * i - 1]
  if moment ~= last_moment then
    last_moment, late = moment, now > unpack_number('>I7', moment)
  end
  if late or processing[i] or done[i] or waiting[i] then
    others[#others + 1] = i
  else
    fresh[written_so_far + 1] = keys[5 + i]
    fresh[written_so_far + 2] = FRESH .. told[2 * i]
    written_so_far = written_so_far + 2
    said[i] = '1'
  end
end
for _, i in ipairs(others) do
  said[i] = claim_done(i) or claim(i)
end
flush()
return { now, canary, letters(said, others), unpack(with_them) }
