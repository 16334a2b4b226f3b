-- Claims messages.
--
-- ARGV    4 what to write as the canary if there is none   5 lease, microseconds
--         6.. one for each item: the mark that a fresh claim writes, whose "until" is the last
--         moment at which the claim may be executed
-- Answer  now, the canary, then for each item
--         1: fresh, its token is now    A mark-head: due retry    T mark-head old-mark: taken over
--         S mark: sent again    B until: busy    U: suspect    D mark, X mark: done, dead
--         O mark: done under this very nonce
--         C state: conflict    L: too late          (a mark-head is bytes 1-51 of a mark)
local lease_until = now + ARGV[5]
local LEASE_UNTIL = micros(lease_until)
local FRESH = NOW .. LEASE_UNTIL .. NOW -- token, until, claimed at

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
  write_open(i, acquired .. sub(request, 52))
  return takeover and 'T' .. acquired .. mark or 'A' .. acquired
end

local function claim(i, mark, request)
  if mark then
    local known, offered = fingerprint_of(mark), fingerprint_of(request)
    if known ~= offered and known ~= NO_FINGERPRINT and offered ~= NO_FINGERPRINT then
      return 'C' .. state_of(mark)
    end
  end
  if now > until_of(request) then
    return 'L'
  end
  if not mark then
    write_open(i, sub(request, 1, 18) .. FRESH .. sub(request, 40))
    return 1
  end
  local state, own = state_of(mark), same_nonce(mark, request)
  if is_done(state) then
    return (own and 'O' or 'D') .. mark
  elseif state == 'X' then
    return 'X' .. mark
  elseif state == 'P' and own then
    local renewed = with_until(mark, LEASE_UNTIL)
    write_open(i, renewed)
    return 'S' .. renewed
  elseif now < until_of(mark) then
    return 'B' .. sub(mark, 26, 32)
  elseif state == 'R' and own then
    return 'L' -- this nonce has been given back
  elseif state == 'P' and flags_of(request) % 2 == 0 then
    return 'U' -- only a solo claim takes over
  end
  return acquire(i, mark, request)
end

local canary = redis.call('GET', KEYS[5])
if not canary then
  canary = ARGV[4]
  redis.call('SET', KEYS[5], canary)
end

read()
local answers = { now, canary }
for i = 1, #fields do
  answers[2 + i] = claim(i, marks[i], ARGV[5 + i])
end
flush()
return answers
