package io.hapax.jdbc;

import java.util.OptionalLong;
import org.jdbi.v3.core.Handle;

/**
 * Goes once through the marks whose time may be over, the oldest first, in steps. Not safe for use
 * by many threads, but by any number of passes at once: each removes what others have not locked.
 */
final class PurgePass {

  private final PurgeStatements statements;
  private long after = Long.MIN_VALUE;
  private boolean finished;

  PurgePass(PurgeStatements statements) {
    this.statements = statements;
  }

  /** Whether there is nothing more to remove now. */
  boolean isFinished() {
    return finished;
  }

  /**
   * In a transaction of its own: removes at most so many marks, of one part of the index. The pass
   * ends at marks that were claimed too lately, or where most are DONE and have to stay: after the
   * retention was raised, or if another node keeps them for less time, that may be nearly all.
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
