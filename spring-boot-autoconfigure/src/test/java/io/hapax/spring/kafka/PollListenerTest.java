package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.MessageListener;

/** Needs no container. Of the records a, b, c and d, a filter discards a and d. */
class PollListenerTest {

  private final List<ConsumerRecord<Object, Object>> records =
      List.of(record(0, "a"), record(1, "b"), record(2, "c"), record(3, "d"));

  private final PollListener listener =
      new PollListener((MessageListener<Object, Object>) record -> {}, consumer -> {
        throw new AssertionError("the poll was handled");
      });

  @Test
  void a_poll_of_a_container_that_acknowledges_by_itself_is_refused() {
    try (KafkaConsumer<Object, Object> consumer = new KafkaConsumer<>(
        Map.of("bootstrap.servers", "localhost:1"),
        (topic, bytes) -> bytes,
        (topic, bytes) -> bytes)) {
      assertThatThrownBy(() -> listener.onMessage(ConsumerRecords.empty(), null, consumer))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("AckMode");
    }
  }

  @Test
  void records_of_several_partitions_keep_their_partitions() {
    ConsumerRecord<Object, Object> first = new ConsumerRecord<>("orders", 0, 3, "a", "1");
    ConsumerRecord<Object, Object> second = new ConsumerRecord<>("orders", 1, 5, "b", "2");
    ConsumerRecords<Object, Object> records = ContainerThread.records(List.of(first, second));

    assertThat(records.records(new TopicPartition("orders", 0))).containsExactly(first);
    assertThat(records.records(new TopicPartition("orders", 1))).containsExactly(second);
  }

  private static ConsumerRecord<Object, Object> record(long offset, String key) {
    return new ConsumerRecord<>("orders", 0, offset, key, "value");
  }

  private PassedBatch filtered() {
    PassedBatch batch = PassedBatch.of(records, true);
    batch.passed().removeIf(it -> it.key().equals("a") || it.key().equals("d"));
    return batch;
  }

  @Test
  void an_index_behind_a_filter_counts_discarded_records_too() {
    assertThat(filtered().before(0)).isEqualTo(1);
    assertThat(filtered().before(1)).isEqualTo(2);
    assertThat(filtered().before(2)).isEqualTo(4);
  }

  @Test
  void a_listener_that_changes_its_list_without_a_filter_changes_no_index() {
    PassedBatch batch = PassedBatch.of(records, false);
    batch.passed().remove(0);

    assertThat(batch.before(1)).isEqualTo(1);
  }

  @Test
  void a_failure_is_found_by_its_record_or_its_index() {
    assertThat(filtered().before(new BatchListenerFailedException("fails", records.get(2))))
        .isEqualTo(2);
    assertThat(filtered().before(new BatchListenerFailedException("fails", 1))).isEqualTo(2);
  }

  @Test
  void a_failure_of_an_unknown_record_leaves_no_message_done() {
    assertThat(filtered().before(new BatchListenerFailedException("fails", 2))).isZero();
    assertThat(filtered().before(new BatchListenerFailedException("fails", record(9, "x"))))
        .isZero();
  }
}
