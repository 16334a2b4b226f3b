package io.hapax.jdbc;

import io.hapax.mark.Mark;

/**
 * A mark as read from its row. The row's version grows with each change; an update requires the
 * version that was read.
 */
record StoredMark(Mark mark, int version) {}
