package io.hapax.operations.audit;

import io.hapax.mark.Fingerprint;
import io.hapax.operations.internal.TopicReader;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.TopicPart;
import io.hapax.store.MarkAdmin;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The audit of a topic, on any broker. For the brokers of this module, which make it.
 *
 * @param store the store of the marks; stays open
 * @param settings the consumer, and how it reads its messages
 * @param connect connects to the brokers, for each run
 * @param fields reads headers or properties
 * @param progress is notified of the progress
 * @param <M> the broker's message
 */
public record ReadingAudit<M>(
    MarkAdmin store,
    AuditSettings<M> settings,
    Supplier<? extends TopicReader<M>> connect,
    Fields<M> fields,
    AuditProgress progress)
    implements TopicAudit {

  /** How many marks are looked up together. */
  private static final int BATCH = 4_000;

  /**
   * What a message has outside of its payload.
   *
   * @param digest computes a digest of what remains if a message is sent again, without headers of
   *     tracing
   * @param names names the headers or properties of a message, for a report about a missing id
   * @param <M> the broker's message
   */
  public record Fields<M>(Function<M, Fingerprint> digest, Function<M, String> names) {}

  @Override
  public AuditReport run(TopicPart part, Selection offsets) throws InterruptedException {
    try (TopicReader<M> reader = connect.get()) {
      List<ScannedRange> ranges = offsets.of(reader);
      try (Auditor<M> auditor = new Auditor<>(store, settings, fields, BATCH)) {
        reader.read(part, ranges, auditor, progress);
        return auditor.finish(ranges);
      }
    }
  }
}
