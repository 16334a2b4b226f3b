package io.hapax.console.operations;

import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.operations.text.Text;
import io.hapax.store.DedupStore;
import java.util.Optional;

/** Finds reports that a wrong name of the consumer, or a wrong place of the id, would give too. */
public final class Doubts {

  private Doubts() {}

  /** {@return the doubt about an audit that used the store, for people; empty if there is none} */
  public static Optional<Text> about(AuditReport report, DedupStore store) {
    AuditReport.Ids ids = report.ids();
    return report
        .doubt()
        .or(() -> ids.distinct() > 0 && ids.unknown() == ids.distinct()
            ? about(store, report.consumer()).map(unknown -> Text.of("doubt.no-mark", unknown))
            : Optional.empty());
  }

  /** {@return the doubt about a consumer's name, for people; empty if the store knows the name} */
  public static Optional<Text> about(DedupStore store, String consumer) {
    return new MarkOperations(store, consumer).knowsConsumer()
        ? Optional.empty()
        : Optional.of(Text.of("doubt.consumer", consumer));
  }
}
