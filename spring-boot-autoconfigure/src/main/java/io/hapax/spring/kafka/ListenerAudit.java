package io.hapax.spring.kafka;

import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.audit.TopicAudit;
import io.hapax.operations.replay.ReplayPlan;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Audits topics with the expressions of a listener. Each run has its own deserializers.
 *
 * @param deserializers makes the deserializers of a run
 * @param audit makes the audit that uses them
 */
record ListenerAudit(
    Supplier<StoredRecords> deserializers, Function<StoredRecords, TopicAudit> audit)
    implements TopicAudit {

  /** Runs an audit. */
  private interface Run {
    AuditReport of(TopicAudit audit) throws InterruptedException;
  }

  private AuditReport run(Run run) throws InterruptedException {
    try (StoredRecords records = deserializers.get()) {
      return run.of(audit.apply(records));
    }
  }

  @Override
  public AuditReport run(TopicPart part, StartingPoint from) throws InterruptedException {
    return run(it -> it.run(part, from));
  }

  @Override
  public AuditReport runAgain(ReplayPlan plan) throws InterruptedException {
    return run(it -> it.runAgain(plan));
  }

  @Override
  public AuditReport runSkipped(ReplayPlan plan) throws InterruptedException {
    return run(it -> it.runSkipped(plan));
  }
}
