-- Renews leases.
--
-- ARGV    4 lease, microseconds
--         5 for each item, behind 4 bytes of length: the mark without an attempt, which is written
--         if the mark was lost
-- Answer  now; 0; a code for each item: USUAL if it is renewed, MARK_LOST if it is renewed and its
--         mark was lost, else the state of the mark that fences it
local LEASE_UNTIL = micros(now + ARGV[4])
local claims = items_in('I4c0', items)

local function renew(i, mark, claim)
  if not mark then
    write_open(i, false, sub(claim, 1, 25) .. LEASE_UNTIL .. NOW .. sub(claim, 40))
    return MARK_LOST
  elseif state_of(mark) == PROCESSING and same_claim(mark, claim) then
    write_lease(i, mark, LEASE_UNTIL)
    return USUAL
  end
  return state_of(mark)
end

read_processing()
local codes = {}
for i = 1, items do
  if not processing[i] and not waiting then
    read_others(processing)
  end
  codes[i] = renew(i, open_at(i) or done_at(i), claims[i])
end
flush()
return { now, 0, table.concat(codes) }
