package io.hapax.kafka;

import java.util.OptionalLong;

/**
 * Remembers the highest offset of one partition and assignment that a commit requested, and the
 * highest that the broker acknowledged. Not thread-safe.
 */
final class CommitCursor {

  private static final long NOTHING = -1;

  private long requested = NOTHING;
  private long acknowledged = NOTHING;

  /** Returns whether the offset is above every requested one. */
  boolean isNew(long offset) {
    return offset > requested;
  }

  /** Returns whether the broker may not have the offset yet. */
  boolean isOpen(long offset) {
    return offset > acknowledged;
  }

  OptionalLong acknowledged() {
    return acknowledged == NOTHING ? OptionalLong.empty() : OptionalLong.of(acknowledged);
  }

  void requested(long offset) {
    requested = Math.max(requested, offset);
  }

  void succeeded(long offset) {
    acknowledged = Math.max(acknowledged, offset);
  }

  /** Forgets a failed request, unless a later one followed it. */
  void failed(long offset) {
    if (requested == offset) {
      requested = acknowledged;
    }
  }

  /** Forgets all commits, because offsets count from a lower one again. */
  void restart() {
    requested = NOTHING;
    acknowledged = NOTHING;
  }
}
