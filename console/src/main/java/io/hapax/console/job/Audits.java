package io.hapax.console.job;

import io.hapax.operations.audit.AuditReport;
import java.util.Optional;

/** Stores the report of the latest audit. Thread-safe. */
public final class Audits {

  private volatile Optional<AuditReport> last = Optional.empty();

  /** Creates a holder without an audit. */
  public Audits() {}

  /** Stores a report. */
  public void ended(AuditReport report) {
    last = Optional.of(report);
  }

  /** {@return the latest report; empty before the first audit} */
  public Optional<AuditReport> last() {
    return last;
  }
}
