package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hapax.audit.AuditReport;
import io.hapax.audit.ScannedRange;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Where an audit of a topic begins and ends, and what it meets on its way. */
class KafkaAuditRangeTest extends AuditedTopic {

  @Test
  void aborted_records_and_transaction_markers_do_not_stop_an_audit() throws Exception {
    Broker.sendInTransaction(topic, true, "committed");
    Broker.sendInTransaction(topic, false, "aborted", "too");

    AuditReport report = audit();

    assertThat(report.messages()).isEqualTo(1);
    assertThat(report.ranges())
        .containsExactly(
            new ScannedRange(topic + "-0", 0, 5), new ScannedRange(topic + "-1", 0, 0));
  }

  @Test
  void aborted_records_are_read_by_a_consumer_that_reads_them() throws Exception {
    Broker.sendInTransaction(topic, false, "aborted");
    Map<String, Object> settings = new HashMap<>(Broker.consumer(group));
    settings.put("isolation.level", "read_uncommitted");

    AuditReport report = KafkaAudit.of(store, SETTINGS, settings)
        .run(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(report.messages()).isEqualTo(1);
  }

  @Test
  void it_ends_where_the_topic_ended_when_it_began() throws Exception {
    Broker.send(topic, 0, "a", "b");
    List<Long> progress = new ArrayList<>();

    AuditReport report = KafkaAudit.of(store, SETTINGS, Broker.consumer(group))
        .withProgress((done, all) -> {
          if (progress.isEmpty()) {
            sendQuietly("late");
          }
          progress.add(all);
        })
        .run(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(report.messages()).isEqualTo(2);
    assertThat(progress).containsOnly(2L);
    assertThat(Broker.end(topic, 0)).isEqualTo(3);
  }

  private void sendQuietly(String text) {
    try {
      Broker.send(topic, 0, text);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void what_was_removed_from_the_topic_is_not_waited_for() throws Exception {
    Broker.send(topic, 0, "old", "older", "young");
    try (Admin admin = Broker.admin()) {
      admin
          .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(2)))
          .all()
          .get(30, TimeUnit.SECONDS);
    }

    assertThat(audit().messages()).isEqualTo(1);
    assertThat(KafkaAudit.of(store, SETTINGS, Broker.consumer(group))
            .run(new TopicPart(topic, Set.of(0)), StartingPoint.offset(1))
            .messages())
        .isEqualTo(1);
  }

  @Test
  void what_is_removed_while_it_reads_is_left_out() throws Exception {
    Broker.send(topic, 0, "old", "older", "young");

    AuditReport report = KafkaAudit.of(store, SETTINGS, Broker.consumer(group))
        .withProgress((done, all) -> {
          if (done == 0) {
            removeBefore(2);
          }
        })
        .run(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(report.messages()).isEqualTo(1);
  }

  private void removeBefore(long offset) {
    try (Admin admin = Broker.admin()) {
      admin
          .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(offset)))
          .all()
          .get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void it_begins_at_an_offset_or_a_time_and_may_read_one_partition() throws Exception {
    Broker.send(topic, 0, "a", "b", "c");
    Broker.send(topic, 1, "d");
    KafkaAudit<String, String> audit = KafkaAudit.of(store, SETTINGS, Broker.consumer(group));
    TopicPart first = new TopicPart(topic, Set.of(0));

    assertThat(audit.run(first, StartingPoint.beginning()).messages()).isEqualTo(3);
    assertThat(audit.run(first, StartingPoint.offset(2)).messages()).isEqualTo(1);
    assertThat(audit(StartingPoint.at(Instant.EPOCH)).messages()).isEqualTo(4);
    assertThat(audit(StartingPoint.at(Instant.now().plusSeconds(3600))).messages())
        .isZero();
    assertThatThrownBy(() -> audit(StartingPoint.offset(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(topic + "-1 ends at 1");
  }

  @Test
  void it_reads_the_newest_offsets_of_each_partition() throws Exception {
    Broker.send(topic, 0, "a", "b", "c");
    Broker.send(topic, 1, "d");

    assertThat(audit(StartingPoint.newest(2)).ranges())
        .extracting(ScannedRange::place, ScannedRange::from, ScannedRange::to)
        .containsExactly(tuple(topic + "-0", 1L, 3L), tuple(topic + "-1", 0L, 1L));
  }

  @Test
  void it_begins_between_two_messages() throws Exception {
    Instant first = Instant.ofEpochMilli(Instant.now().minusSeconds(7_200).toEpochMilli());
    Instant second = first.plusSeconds(3_600);
    sendAt("a", first);
    sendAt("b", second);

    assertThat(audit(StartingPoint.at(first)).messages()).isEqualTo(2);
    assertThat(audit(StartingPoint.at(first.plusMillis(1))).ranges())
        .contains(new ScannedRange(topic + "-0", 1, 2));
    assertThat(audit(StartingPoint.at(second)).messages()).isEqualTo(1);
    assertThat(audit(StartingPoint.at(second.plusMillis(1))).messages()).isZero();
  }

  private void sendAt(String text, Instant time) throws Exception {
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(Broker.producer())) {
      producer
          .send(new ProducerRecord<>(topic, 0, time.toEpochMilli(), text, text))
          .get(30, TimeUnit.SECONDS);
    }
  }
}
