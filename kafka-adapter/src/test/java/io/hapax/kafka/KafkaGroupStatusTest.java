package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.audit.GroupStatus;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** The lag and the members of a group. */
class KafkaGroupStatusTest extends AuditedTopic {

  private GroupStatus status() throws InterruptedException {
    return open(KafkaReplay.of(Broker.consumer(group), group)).status(topic);
  }

  @Test
  void the_lag_is_the_records_behind_the_committed_offsets() throws Exception {
    handled("a", "b");
    assertThat(status()).isEqualTo(new GroupStatus(0, 0));

    Broker.send(topic, 0, "c");
    Broker.send(topic, 1, "d", "e");

    assertThat(status()).isEqualTo(new GroupStatus(3, 0));
  }

  @Test
  void a_partition_without_a_committed_offset_counts_from_its_first_record() throws Exception {
    handled("a", "b", "c");
    forgetOffset();
    assertThat(status().lag()).isEqualTo(3);

    deleteRecordsBefore(2);

    assertThat(status().lag()).isEqualTo(1);
  }

  @Test
  void deleted_records_behind_the_committed_offset_are_no_lag() throws Exception {
    handled("a", "b", "c");
    Broker.commit(group, topic, 0, 1);
    assertThat(status().lag()).isEqualTo(2);

    deleteRecordsBefore(2);

    assertThat(status().lag()).isEqualTo(1);
  }

  @Test
  void an_offset_beyond_the_end_is_no_negative_lag() throws Exception {
    handled("a");
    Broker.send(topic, 1, "b");
    Broker.commit(group, topic, 0, 100); // as after brokers that have lost the end of their log

    assertThat(status().lag()).isEqualTo(1);
  }

  @Test
  void a_running_group_has_members() throws Exception {
    handled("a");
    start(topic, this::record);

    await().atMost(BOUND).until(() -> status().members() == 1);
  }

  @Test
  void a_group_or_a_topic_that_does_not_exist_is_named() throws Exception {
    handled("a");
    KafkaReplay unknown = open(KafkaReplay.of(Broker.consumer("no-such-group"), "no-such-group"));
    KafkaReplay known = open(KafkaReplay.of(Broker.consumer(group), group));

    assertThatThrownBy(() -> unknown.status(topic))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("group no-such-group does not exist");
    assertThatThrownBy(() -> known.status("no-such-topic"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("topic no-such-topic does not exist");
  }

  private void forgetOffset() throws Exception {
    try (Admin admin = Broker.admin()) {
      admin
          .deleteConsumerGroupOffsets(group, Set.of(new TopicPartition(topic, 0)))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
  }

  private void deleteRecordsBefore(long offset) throws Exception {
    try (Admin admin = Broker.admin()) {
      admin
          .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(offset)))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
  }
}
