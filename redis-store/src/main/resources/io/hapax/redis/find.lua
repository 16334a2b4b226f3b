-- Finds marks.
--
-- ARGV    4 nothing
-- Answer  now; 0; a code for each item: USUAL if it has a mark, else ABSENT; then the marks
local ABSENT = '0'

read()
local codes, marks = {}, {}
for i = 1, items do
  local mark = mark_at(i)
  codes[i] = mark and USUAL or ABSENT
  marks[#marks + 1] = mark or nil
end
return { now, 0, table.concat(codes), unpack(marks) }
