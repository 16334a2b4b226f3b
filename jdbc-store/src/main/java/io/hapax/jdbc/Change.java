package io.hapax.jdbc;

import io.hapax.mark.EpochMicros;
import io.hapax.mark.Mark;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A row to be written.
 *
 * @param was what it must still be; an absent mark of version 0 if it must not be there
 * @param next what it becomes
 * @param notAfter by the store's clock, when it is too late to write it
 * @param version what the row bears then, unlike any other change that makes the same of it: the
 *     same claim, sent twice at once, gives the same mark, and only one of the two has written it
 */
record Change(StoredMark was, Mark next, Instant notAfter, int version) {

  /** Enough room above for as many changes as a row may ever see. */
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

  /** Whether a row that was read later is what this change writes. */
  boolean isWrittenAs(StoredMark stored) {
    Mark mark = stored.mark();
    return stored.version() == version
        && mark.claim().sameAs(next.claim())
        && mark.state() == next.state()
        && EpochMicros.of(mark.until()) == EpochMicros.of(next.until());
  }
}
