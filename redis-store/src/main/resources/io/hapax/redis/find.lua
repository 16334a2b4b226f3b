-- Looks marks up.
--
-- ARGV    4 nothing
-- Answer  now, 0, a letter for each item, then the marks
--         1 has a mark    0 has none
read()
local said, marks = {}, {}
for i = 1, items do
  local mark = mark_at(i)
  said[i] = mark and '1' or '0'
  marks[#marks + 1] = mark or nil
end
return { now, 0, table.concat(said), unpack(marks) }
