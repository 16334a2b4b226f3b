package io.hapax.jdbc;

import io.hapax.mark.EpochMicros;
import io.hapax.mark.Mark;
import java.time.Instant;

/**
 * A row to be written.
 *
 * @param was what it must still be; an absent mark of version 0 if it must not be there
 * @param next what it becomes
 * @param notAfter by the store's clock, when it is too late to write it
 */
record Change(StoredMark was, Mark next, Instant notAfter) {

  /** Whether a row that was read later is what this change writes. */
  boolean isWrittenAs(StoredMark stored) {
    Mark mark = stored.mark();
    return stored.version() == was.version() + 1
        && mark.claim().sameAs(next.claim())
        && mark.state() == next.state()
        && EpochMicros.of(mark.until()) == EpochMicros.of(next.until());
  }
}
