package io.hapax.console.operations;

import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.store.DedupStore;
import java.util.Optional;

/** Finds reports that a wrong name of the consumer, or a wrong place of the id, would give too. */
public final class Doubts {

  private Doubts() {}

  /** {@return the doubt about an audit that used the store, for people; empty if there is none} */
  public static Optional<String> about(AuditReport report, DedupStore store) {
    AuditReport.Ids ids = report.ids();
    return report
        .doubt()
        .or(() -> ids.distinct() > 0 && ids.unknown() == ids.distinct()
            ? about(store, report.consumer())
                .map(unknown -> unknown + " None of the ids has a mark: is --id right?")
            : Optional.empty());
  }

  /** {@return the doubt about a consumer's name, for people; empty if the store knows the name} */
  public static Optional<String> about(DedupStore store, String consumer) {
    return new MarkOperations(store, consumer).knowsConsumer()
        ? Optional.empty()
        : Optional.of("the store has neither an open nor a dead mark of the consumer " + consumer
            + ": are --consumer and --store right?");
  }
}
