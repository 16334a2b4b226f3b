-- Ends claims, and moves the marks that are done.
--
-- ARGV    2 retention, milliseconds
--         3.. one for each item: the verdict (D done, R retry, F release, X dead), then the mark that
--         the verdict makes of the claim, whose "until" counts from now
-- Answer  now, then for each item  1: settled    2: settled, the mark was lost    F state: fenced
local retention = ARGV[2]
local AFTER = { D = 'D', R = 'R', F = 'R', X = 'X' }

local function write(i, verdict, mark, claimed_bytes)
  local delay = until_of(mark)
  local settled = stamped(mark, delay == 0 and NOW or micros(now + delay), claimed_bytes)
  if verdict == 'D' then
    write_done(i, settled, retention)
  else
    write_open(i, settled)
  end
end

local function settle(i, mark, verdict, wanted)
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
  local item = ARGV[2 + i]
  answers[1 + i] = settle(i, marks[i], sub(item, 1, 1), sub(item, 2))
end
flush()
return answers
