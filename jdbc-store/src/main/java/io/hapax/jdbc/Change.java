package io.hapax.jdbc;

import io.hapax.mark.EpochMicros;
import io.hapax.mark.Mark;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A change of a row.
 *
 * @param version the new version, partly random. The same claim, sent twice at once, gives the same
 *     mark; the version shows which of the two wrote it
 */
record Change(StoredMark was, Mark next, Instant notAfter, int version) {

  /** Leaves room above it for all later versions of a row. */
  private static final int FIRST_BELOW = 1 << 30;

  private static final int LONGEST_STEP = 1_000;

  Change(StoredMark was, Mark next, Instant notAfter) {
    this(was, next, notAfter, versionAfter(was.version()));
  }

  private static int versionAfter(int before) {
    return before
        + 1
        + ThreadLocalRandom.current().nextInt(before == 0 ? FIRST_BELOW : LONGEST_STEP);
  }

  /** Returns whether a row that was read later is the one this change wrote. */
  boolean isWrittenAs(StoredMark stored) {
    Mark mark = stored.mark();
    return stored.version() == version
        && mark.claim().sameAs(next.claim())
        && mark.state() == next.state()
        && EpochMicros.of(mark.until()) == EpochMicros.of(next.until());
  }
}
