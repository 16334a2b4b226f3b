-- Ends claims, and moves the marks that are done.
--
-- ARGV    4.. one for each item: the mark that the verdict makes of the claim, whose "until" counts
--         from now and whose state says the verdict: D done, R retry, F release, X dead
-- Answer  now, how many fields one of the written buckets has, then for each item
--         1: settled    2: settled, the mark was lost    F state: fenced
local AFTER = { D = 'D', R = 'R', F = 'R', X = 'X' }

local function write(i, verdict, wanted, claimed_bytes)
  local delay = until_of(wanted)
  local until_bytes = delay == 0 and NOW or micros(now + delay)
  if verdict == 'D' then
    write_done(i, wanted, until_bytes, claimed_bytes)
  else
    write_open(
      i, AFTER[verdict] .. sub(wanted, 2, 25) .. until_bytes .. claimed_bytes .. sub(wanted, 40))
  end
end

local function settle(i, mark, wanted)
  local verdict = state_of(wanted)
  if not mark then
    if verdict == 'F' then
      return 1 -- nothing was started, and there is nothing to give back
    end
    write(i, verdict, wanted, NOW)
    return 2
  end
  local state = state_of(mark)
  if same_claim(mark, wanted) then
    if state == 'P' then
      write(i, verdict, wanted, claimed_at(mark))
      return 1
    elseif AFTER[verdict] == (is_done(state) and 'D' or state) then
      return 1 -- sent again
    end
  end
  return 'F' .. state
end

read()
local answers = { now }
for i = 1, #fields do
  answers[2 + i] = settle(i, marks[i], ARGV[3 + i])
end
answers[2] = flush()
return answers
