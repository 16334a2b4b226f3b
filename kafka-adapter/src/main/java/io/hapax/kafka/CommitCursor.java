package io.hapax.kafka;

/**
 * How far the commits of one partition have come in one assignment: what was asked of the broker,
 * and what it has acknowledged. Not thread-safe.
 */
final class CommitCursor {

  private static final long NOTHING = -1;

  private long requested = NOTHING;
  private long acknowledged = NOTHING;

  /** Whether the offset is ahead of all that was asked for. */
  boolean isNew(long offset) {
    return offset > requested;
  }

  /** Whether the broker may not have the offset yet. */
  boolean isOpen(long offset) {
    return offset > acknowledged;
  }

  void requested(long offset) {
    requested = Math.max(requested, offset);
  }

  void succeeded(long offset) {
    acknowledged = Math.max(acknowledged, offset);
  }

  /** A later request is not touched by the failure of an earlier one. */
  void failed(long offset) {
    if (requested == offset) {
      requested = acknowledged;
    }
  }

  /** Offsets count from a lower one again: what was committed says nothing of them. */
  void restart() {
    requested = NOTHING;
    acknowledged = NOTHING;
  }
}
