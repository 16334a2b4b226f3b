-- Renews leases.
--
-- ARGV    4 lease, microseconds   5.. one for each item: the mark as its owner knows it
-- Answer  now, then for each item  1: renewed    2: renewed, the mark was lost    F state: fenced
local LEASE_UNTIL = micros(now + ARGV[4])

local function renew(i, mark, claim)
  if not mark then
    write_open(i, sub(claim, 1, 25) .. LEASE_UNTIL .. NOW .. sub(claim, 40))
    return 2
  elseif state_of(mark) == 'P' and same_claim(mark, claim) then
    write_open(i, with_until(mark, LEASE_UNTIL))
    return 1
  end
  return 'F' .. state_of(mark)
end

read()
local answers = { now }
for i = 1, #fields do
  answers[1 + i] = renew(i, marks[i], ARGV[4 + i])
end
flush()
return answers
