package io.hapax.kafka;

import static io.hapax.kafka.ScriptedConsumer.record;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Finds positions as clients before 4.0 need it, with every client. */
class NextOffsetsTest {

  private static final TopicPartition ONE = new TopicPartition("orders", 0);
  private static final TopicPartition OTHER = new TopicPartition("orders", 1);

  @SuppressWarnings("deprecation") // what replaces it is missing in kafka-clients before 4.0
  private static ConsumerRecords<String, String> polled(
      Map<TopicPartition, List<ConsumerRecord<String, String>>> records) {
    return new ConsumerRecords<>(records);
  }

  @Test
  void without_a_report_the_position_is_behind_the_last_record() {
    ConsumerRecords<String, String> records = polled(Map.of(
        ONE, List.of(record(ONE, 4, Optional.of(6)), record(ONE, 9, Optional.of(7))),
        OTHER, List.of(record(OTHER, 2, Optional.empty()))));

    assertThat(NextOffsets.behindLast(records))
        .containsOnly(
            Map.entry(ONE, new OffsetAndMetadata(10, Optional.of(7), "")),
            Map.entry(OTHER, new OffsetAndMetadata(3)));
  }

  @Test
  void a_poll_that_an_interceptor_made_anew_has_positions() {
    ConsumerRecords<String, String> records =
        polled(Map.of(ONE, List.of(record(ONE, 9, Optional.of(7)))));

    assertThat(NextOffsets.of(records))
        .containsOnly(Map.entry(ONE, new OffsetAndMetadata(10, Optional.of(7), "")));
  }

  @Test
  void the_higher_one_of_two_positions_is_the_next() {
    ConsumerRecords<String, String> records = polled(Map.of(
        ONE, List.of(record(ONE, 9, Optional.empty())),
        OTHER, List.of(record(OTHER, 2, Optional.empty()))));

    assertThat(NextOffsets.merged(
            records, Map.of(ONE, new OffsetAndMetadata(12), OTHER, new OffsetAndMetadata(1))))
        .containsOnly(
            Map.entry(ONE, new OffsetAndMetadata(12)), Map.entry(OTHER, new OffsetAndMetadata(3)));
  }

  private static AssignedPartition<String, String> partitionAt(long next) {
    AssignedPartition<String, String> partition =
        ScriptedConsumer.assigned(ScriptedConsumer.PARTITION);
    partition.polled(List.of(), Optional.of(new OffsetAndMetadata(next)));
    return partition;
  }

  @Test
  void a_partition_advances_past_markers_behind_its_last_record() {
    try (ScriptedConsumer consumer = new ScriptedConsumer()) {
      consumer.assign(List.of(ScriptedConsumer.PARTITION));
      consumer.seek(ScriptedConsumer.PARTITION, 7);
      AssignedPartition<String, String> read = partitionAt(5);
      AssignedPartition<String, String> unread =
          ScriptedConsumer.assigned(ScriptedConsumer.PARTITION);

      NextOffsets.passMarkersOf(consumer, List.of(read, unread));

      assertThat(read.committable()).contains(new OffsetAndMetadata(7));
      assertThat(unread.committable()).isEmpty();
    }
  }

  @Test
  void a_revoked_partition_and_one_that_moved_back_stay_where_they_are() {
    try (ScriptedConsumer consumer = new ScriptedConsumer()) {
      AssignedPartition<String, String> partition = partitionAt(5);

      NextOffsets.passMarkersOf(consumer, List.of(partition));
      consumer.assign(List.of(ScriptedConsumer.PARTITION));
      consumer.seek(ScriptedConsumer.PARTITION, 3);
      NextOffsets.passMarkersOf(consumer, List.of(partition));

      assertThat(partition.committable()).contains(new OffsetAndMetadata(5));
    }
  }

  @Test
  void an_empty_poll_has_no_positions() {
    assertThat(NextOffsets.of(ConsumerRecords.empty())).isEmpty();
  }
}
