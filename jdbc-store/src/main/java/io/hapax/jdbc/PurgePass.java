package io.hapax.jdbc;

import java.util.OptionalLong;
import org.jdbi.v3.core.Handle;

/**
 * Goes once through the marks that may be removed, the oldest first, in steps. For one thread. Any
 * number of passes may run at once, because each skips rows that others have locked.
 */
final class PurgePass {

  private final PurgeStatements statements;
  private long after = Long.MIN_VALUE;
  private boolean finished;

  PurgePass(PurgeStatements statements) {
    this.statements = statements;
  }

  /** Returns whether nothing more can be removed now. */
  boolean isFinished() {
    return finished;
  }

  /**
   * Removes at most {@code limit} marks from one part of the index, in a transaction of its own.
   * The pass ends at marks that were claimed recently. It also ends at a part where most marks are
   * DONE and must be kept, which happens after the retention was raised or if another node has a
   * shorter one.
   */
  Purged step(Handle handle, int limit) {
    OptionalLong end = statements.end(handle, after);
    if (end.isEmpty()) {
      finished = true;
      return Purged.NONE;
    }
    Purged removed = statements.remove(handle, after, end.getAsLong(), limit);
    if (removed.all() == 0) {
      finished = statements.young(handle, after, end.getAsLong()) > PurgeStatements.PART / 2;
    }
    if (removed.all() < limit) {
      after = end.getAsLong();
    }
    return removed;
  }
}
