package io.hapax.jdbc;

import io.hapax.mark.Mark;

/**
 * A mark as it was read.
 *
 * @param mark the mark
 * @param version grows with each change of the row, which counts only if nobody was faster
 */
record StoredMark(Mark mark, int version) {}
