package io.hapax.operations.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.errors.AuditFailedException;
import io.hapax.kafka.KafkaIds;
import io.hapax.mark.Fingerprint;
import io.hapax.operations.OperationsFixture;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;

/** Checks what only Kafka's log has: transactions, retention, unreadable records. */
class KafkaReadingTest extends OperationsFixture {

  private static final KafkaTestBroker KAFKA = KafkaTestBroker.INSTANCE;

  KafkaReadingTest() {
    super(KAFKA);
  }

  private AuditReport audit(KafkaOperations<?, ?> operations, AuditProgress progress)
      throws InterruptedException {
    return operations.audit(store, progress).run(TopicPart.all(topic), StartingPoint.beginning());
  }

  private AuditReport audit() throws InterruptedException {
    return audit(KAFKA.operations(), AuditProgress.NONE);
  }

  /** Sends texts in a transaction, and returns when its end is in the topic. */
  private void sendInTransaction(boolean commit, String... texts) {
    Map<String, Object> settings = new HashMap<>(KAFKA.producer());
    settings.put("transactional.id", "sender-to-" + topic);
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings)) {
      producer.initTransactions();
      producer.beginTransaction();
      for (String text : texts) {
        var unused = producer.send(new ProducerRecord<>(topic, 0, text, text));
      }
      producer.flush();
      if (commit) {
        producer.commitTransaction();
      } else {
        producer.abortTransaction();
      }
    }
    // The end is acknowledged before its marker is written. A successor waits for the marker.
    try (KafkaProducer<String, String> successor = new KafkaProducer<>(settings)) {
      successor.initTransactions();
    }
  }

  @Test
  void aborted_records_and_transaction_markers_do_not_stop_an_audit() throws Exception {
    sendInTransaction(true, "committed");
    sendInTransaction(false, "aborted", "too");

    AuditReport report = audit();

    assertThat(report.messages()).isEqualTo(1);
    assertThat(report.ranges())
        .containsExactly(
            new ScannedRange(topic + "-0", 0, 5), new ScannedRange(topic + "-1", 0, 0));
    assertThat(audit(
                KAFKA.operations(Map.of("isolation.level", "read_uncommitted")), AuditProgress.NONE)
            .messages())
        .as("a consumer that reads them has them audited")
        .isEqualTo(3);
  }

  @Test
  void removed_records_are_neither_waited_for_nor_lag() throws Exception {
    String group = KAFKA.group();
    broker.send(topic, 0, "old", "older", "young");
    broker.commit(group, topic, 0, 1);
    KAFKA.deleteBefore(topic, 0, 2);

    assertThat(audit().messages()).isEqualTo(1);
    assertThat(open(broker.operations().replay(group)).status(topic).lag()).isEqualTo(1);
  }

  @Test
  void records_that_are_removed_while_it_reads_are_left_out() throws Exception {
    broker.send(topic, 0, "old", "older", "young");

    AuditReport report = audit(KAFKA.operations(), (done, all) -> {
      if (done == 0) {
        removeQuietly();
      }
    });

    assertThat(report.messages()).isEqualTo(1);
  }

  private void removeQuietly() {
    try {
      KAFKA.deleteBefore(topic, 0, 2);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_record_that_cannot_be_read_is_counted_and_does_not_stop_it() throws Exception {
    KAFKA.send(new ProducerRecord<>(topic, 0, "a", "four"));
    KAFKA.send(new ProducerRecord<>(topic, 0, "b", "longer"));
    KafkaOperations<String, Integer> integers = KafkaOperations.of(
        AuditSettings.of("orders", KafkaIds.key(), record -> Fingerprint.NONE),
        KAFKA.client(),
        new StringDeserializer(),
        new IntegerDeserializer());

    AuditReport report = audit(integers, AuditProgress.NONE);

    assertThat(report.messages()).isEqualTo(2);
    assertThat(report.missingIds()).isEqualTo(1);
    assertThat(report.ids().unknown()).isEqualTo(1);
  }

  @Test
  void brokers_that_do_not_answer_end_it() {
    KafkaOperations<String, String> nowhere = KAFKA
        .operations(Map.of("bootstrap.servers", "127.0.0.1:1"))
        .withPatience(Duration.ofSeconds(1));

    assertThatThrownBy(() -> audit(nowhere, AuditProgress.NONE))
        .isInstanceOf(AuditFailedException.class);
  }
}
