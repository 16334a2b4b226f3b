-- Renews leases.
--
-- ARGV    4 lease, microseconds   5 for each item: the mark as its owner writes it anew if it was lost, without an attempt,
--         behind 4 bytes of length
-- Answer  now, 0, a letter for each item
--         1 renewed    2 renewed, the mark was lost    any other: fenced, the mark's state
local LEASE_UNTIL = micros(now + ARGV[4])
local claims = items_in('I4c0', items)

local function renew(i, mark, claim)
  if not mark then
    write_open(i, false, sub(claim, 1, 25) .. LEASE_UNTIL .. NOW .. sub(claim, 40))
    return '2'
  elseif state_of(mark) == 'P' and same_claim(mark, claim) then
    write_lease(i, mark, LEASE_UNTIL)
    return '1'
  end
  return state_of(mark)
end

read_processing()
local said = {}
for i = 1, items do
  if not processing[i] and not waiting then
    read_others(processing)
  end
  said[i] = renew(i, open_at(i) or done_at(i), claims[i])
end
flush()
return { now, 0, table.concat(said) }
