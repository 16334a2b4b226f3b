package io.hapax.kafka;

import static org.awaitility.Awaitility.await;

import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Timeout;

/** A topic of two partitions that a service reads, and audits of it. */
@Timeout(120)
abstract class AuditedTopic extends WithReceivers {

  static final AuditSettings<ConsumerRecord<String, String>> SETTINGS =
      AuditSettings.of("orders", KafkaIds.key(), KafkaFingerprints.value());

  final String topic = Broker.topic(2);

  AuditReport audit(StartingPoint from) throws InterruptedException {
    return KafkaAudit.of(store, SETTINGS, Broker.consumer(group)).run(TopicPart.all(topic), from);
  }

  AuditReport audit() throws InterruptedException {
    return audit(StartingPoint.beginning());
  }

  /** Sends and handles some messages with the service, and stops it. */
  void handled(String... ids) throws Exception {
    Broker.send(topic, 0, ids);
    try (KafkaReceiver<String, String> service = start(topic, this::record)) {
      awaitCommitted(topic, Broker.end(topic, 0));
    }
    await().atMost(BOUND).until(() -> Broker.owners(group).isEmpty());
  }
}
