package io.hapax.spring.kafka;

import io.hapax.IdExtractor;
import io.hapax.audit.AuditProgress;
import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.ReplayPlan;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicAudit;
import io.hapax.audit.TopicPart;
import io.hapax.kafka.KafkaAudit;
import io.hapax.mark.Fingerprint;
import io.hapax.spring.listener.ListenerSettings;
import io.hapax.spring.listener.MessageExpressions;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Audits topics with the expressions of a listener. Each run has its own deserializers. */
final class ListenerAudit implements TopicAudit {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final DedupStore store;
  private final ListenerSettings settings;
  private final MessageExpressions<ConsumerRecord<Object, Object>> expressions;
  private final ConsumerOverrides consumers;
  private final Map<String, Object> reading;
  private final AuditProgress progress;

  ListenerAudit(
      DedupStore store,
      ListenerSettings settings,
      MessageExpressions<ConsumerRecord<Object, Object>> expressions,
      ConsumerOverrides consumers,
      Map<String, Object> reading,
      AuditProgress progress) {
    this.store = store;
    this.settings = settings;
    this.expressions = expressions;
    this.consumers = consumers;
    this.reading = reading;
    this.progress = progress;
  }

  /** Runs an audit. */
  private interface Run {
    AuditReport of(TopicAudit audit) throws InterruptedException;
  }

  private AuditReport run(Run run) throws InterruptedException {
    IdExtractor<ConsumerRecord<Object, Object>> ids = expressions.id(settings);
    Function<ConsumerRecord<Object, Object>, Fingerprint> fingerprint =
        expressions.fingerprint(settings);
    try (StoredRecords records = new StoredRecords(consumers)) {
      AuditSettings<ConsumerRecord<byte[], byte[]>> own = AuditSettings.of(
          settings.consumer(),
          record -> ids.idOf(records.received(record)),
          record -> fingerprint.apply(records.received(record)));
      return run.of(
          KafkaAudit.of(store, own, reading).withProgress(progress).withPatience(PATIENCE));
    }
  }

  @Override
  public AuditReport run(TopicPart part, StartingPoint from) throws InterruptedException {
    return run(audit -> audit.run(part, from));
  }

  @Override
  public AuditReport runAgain(ReplayPlan plan) throws InterruptedException {
    return run(audit -> audit.runAgain(plan));
  }

  @Override
  public AuditReport runSkipped(ReplayPlan plan) throws InterruptedException {
    return run(audit -> audit.runSkipped(plan));
  }
}
