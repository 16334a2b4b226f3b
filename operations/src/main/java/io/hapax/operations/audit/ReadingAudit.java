package io.hapax.operations.audit;

import io.hapax.mark.Fingerprint;
import io.hapax.operations.internal.TopicReader;
import io.hapax.operations.replay.ReplayMove;
import io.hapax.operations.replay.ReplayPlan;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The audit of a topic, on any broker. For the brokers of this module, which make it.
 *
 * @param <M> the broker's message
 */
public final class ReadingAudit<M> implements TopicAudit {

  private final DedupStore store;
  private final AuditSettings<M> settings;
  private final Supplier<? extends TopicReader<M>> connect;
  private final Fields<M> fields;
  private final AuditProgress progress;

  /**
   * What a message has outside of its payload.
   *
   * @param digest computes a digest of what remains if a message is sent again, without headers of
   *     tracing
   * @param names names the headers or properties of a message, for a report about a missing id
   * @param <M> the broker's message
   */
  public record Fields<M>(Function<M, Fingerprint> digest, Function<M, String> names) {}

  /**
   * Makes an audit.
   *
   * @param store the store of the marks; stays open
   * @param settings the consumer, and how it reads its messages
   * @param connect connects to the brokers, for each run
   * @param fields reads headers or properties
   * @param progress is notified of the progress
   */
  public ReadingAudit(
      DedupStore store,
      AuditSettings<M> settings,
      Supplier<? extends TopicReader<M>> connect,
      Fields<M> fields,
      AuditProgress progress) {
    this.store = store;
    this.settings = settings;
    this.connect = connect;
    this.fields = fields;
    this.progress = progress;
  }

  @Override
  public AuditReport run(TopicPart part, StartingPoint from) throws InterruptedException {
    try (TopicReader<M> reader = connect.get()) {
      return read(reader, part, reader.ranges(part, from));
    }
  }

  @Override
  public AuditReport runAgain(ReplayPlan plan) throws InterruptedException {
    return run(plan, ReplayMove::again);
  }

  @Override
  public AuditReport runSkipped(ReplayPlan plan) throws InterruptedException {
    return run(plan, ReplayMove::skipped);
  }

  private AuditReport run(ReplayPlan plan, Function<ReplayMove, ScannedRange> range)
      throws InterruptedException {
    try (TopicReader<M> reader = connect.get()) {
      return read(reader, plan.part(), plan.moves().stream().map(range).toList());
    }
  }

  private AuditReport read(TopicReader<M> reader, TopicPart part, List<ScannedRange> ranges)
      throws InterruptedException {
    try (Auditor<M> auditor = new Auditor<>(store, settings, fields)) {
      reader.read(part, ranges, auditor, progress);
      return auditor.finish(ranges);
    }
  }
}
