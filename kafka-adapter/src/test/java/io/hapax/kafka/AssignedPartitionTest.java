package io.hapax.kafka;

import static io.hapax.kafka.ScriptedConsumer.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.PolledMessage;
import io.hapax.health.PartitionStatus.Pause;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import io.hapax.kafka.internal.AlteredPollException;
import io.hapax.kafka.internal.PolledPositions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName(
    "Invariant 13: committed offset <= lowest unfinished offset of partition and assignment")
class AssignedPartitionTest {

  private static final TopicPartition ONE = new TopicPartition("orders", 0);
  private static final TopicPartition OTHER = new TopicPartition("orders", 1);
  private static final TopicPartition PARTITION = new TopicPartition("orders", 3);
  private static final Outcome DONE = new Outcome.Executed(1, 1);
  private static final long NOW = 1_000_000;
  private static final Duration SILENCE = Duration.ofMinutes(5);

  private final AssignedPartition<String, String> partition = ScriptedConsumer.assigned(PARTITION);

  @Test
  void a_poll_that_met_only_markers_moves_the_position() {
    polled(20);

    assertThat(committable()).hasValue(20L);
  }

  @Test
  void no_more_is_fetched_above_the_high_water_mark() {
    polled(11, 10);
    partition.polled(List.of(record(11), record(12)), position(13));

    assertThat(partition.full(3, 5000, NOW)).isFalse();
    assertThat(partition.full(2, 5000, NOW)).isTrue();
  }

  @Test
  void no_more_is_fetched_while_too_many_are_kept_behind_an_unfinished_one() {
    var window = polled(13, 10, 11, 12);
    resolve(window.get(1), DONE);
    resolve(window.get(2), DONE);

    assertThat(partition.full(500, 4, NOW)).isFalse();
    assertThat(partition.full(500, 3, NOW)).isTrue();
    resolve(window.get(0), DONE);
    assertThat(partition.full(500, 3, NOW)).isFalse();
  }

  @Test
  void a_log_that_was_cut_is_committed_again_from_the_cut() {
    var window = polled(23, 20, 21, 22);
    resolve(window.get(0), DONE);
    partition.commitRequested(21);
    partition.commitSucceeded(21);

    partition.polled(List.of(record(15), record(16)), position(17));

    assertThat(committable()).hasValue(15L);
  }

  /** A consumer that finds a later epoch than the broker has in a commit waits for it for ever. */
  @Test
  void a_commit_after_a_cut_carries_no_leader_epoch_from_behind_the_cut() {
    resolve(polled(22, 20, 21).get(0), DONE);

    polled(1, 0);

    assertThat(partition.committable()).hasValue(new OffsetAndMetadata(0));
  }

  @Test
  void a_cut_that_only_moved_the_position_is_seen_too() {
    polled(20);
    partition.commitRequested(20);

    partition.polled(List.of(), position(15));

    assertThat(committable()).hasValue(15L);
  }

  @Test
  void an_offset_is_requested_once_and_again_only_after_its_own_failure() {
    polled(20);
    partition.commitRequested(20);
    assertThat(committable()).isEmpty();
    partition.polled(List.of(), position(30));
    partition.commitRequested(30);

    partition.commitFailed(20);
    assertThat(committable()).isEmpty();
    partition.commitFailed(30);
    assertThat(committable()).hasValue(30L);
  }

  @Test
  void the_commit_lag_counts_from_the_first_read_offset_or_the_last_commit() {
    var window = polled(13, 10, 12);
    assertThat(partition.status(500, 5000, NOW, OptionalLong.empty()).commitLag())
        .isEqualTo(3);

    resolve(window.get(0), DONE);
    partition.commitRequested(12);
    assertThat(partition.status(500, 5000, NOW, OptionalLong.empty()).commitLag())
        .isEqualTo(3);
    partition.commitSucceeded(12);

    assertThat(partition.status(500, 5000, NOW, OptionalLong.empty()).commitLag())
        .isEqualTo(1);
  }

  @Test
  void the_commit_carries_the_leader_epoch_of_the_last_finished_record() {
    var window = polled(12, 10, 11);

    resolve(window.get(0), DONE);

    assertThat(partition.committable().flatMap(OffsetAndMetadata::leaderEpoch)).hasValue(7);
  }

  private List<PolledMessage<ConsumerRecord<String, String>>> polled(long next, long... offsets) {
    partition.polled(
        LongStream.of(offsets).mapToObj(AssignedPartitionTest::record).toList(), position(next));
    return partition.offsets().take(500, NOW);
  }

  @Test
  void a_partition_that_is_stopped_or_paused_is_not_read_and_says_why() {
    partition.pauseUntil(NOW + 100, "no memory");
    assertThat(partition.full(500, 5000, NOW + 99)).isTrue();
    assertThat(partition.full(500, 5000, NOW + 100)).isFalse();
    assertThat(partition.problem(NOW, SILENCE))
        .hasValue(
            new Problems.Found(Problem.Kind.PARTITION_STOPPED, "orders-3", "orders-3: no memory"));

    polled(20);
    assertThat(partition.problem(NOW, SILENCE)).isEmpty();

    partition.stop("unreadable");
    assertThat(partition.full(500, 5000, NOW)).isTrue();
    assertThat(partition.status(500, 5000, NOW, OptionalLong.empty()).pause())
        .contains(Pause.UNREADABLE);
    assertThat(partition.problem(NOW, SILENCE))
        .hasValue(
            new Problems.Found(Problem.Kind.PARTITION_STOPPED, "orders-3", "orders-3: unreadable"));
  }

  private void resolve(PolledMessage<ConsumerRecord<String, String>> message, Outcome outcome) {
    partition.offsets().resolved(message, outcome, NOW);
  }

  private Optional<Long> committable() {
    return partition.committable().map(OffsetAndMetadata::offset);
  }

  private static OffsetAndMetadata position(long offset) {
    return new OffsetAndMetadata(offset);
  }

  private static ConsumerRecord<String, String> record(long offset) {
    return ScriptedConsumer.record(PARTITION, offset, Optional.of(7));
  }

  @SuppressWarnings("deprecation") // what replaces it is missing in kafka-clients before 4.0
  private static ConsumerRecords<String, String> polled(
      Map<TopicPartition, List<ConsumerRecord<String, String>>> records) {
    return new ConsumerRecords<>(records);
  }

  @Test
  void without_a_report_the_position_is_behind_the_last_record() {
    ConsumerRecords<String, String> records = polled(Map.of(
        ONE,
            List.of(
                ScriptedConsumer.record(ONE, 4, Optional.of(6)),
                ScriptedConsumer.record(ONE, 9, Optional.of(7))),
        OTHER, List.of(ScriptedConsumer.record(OTHER, 2, Optional.empty()))));

    assertThat(PolledPositions.of(records, Map.of()).after())
        .containsOnly(
            Map.entry(ONE, new OffsetAndMetadata(10, Optional.of(7), "")),
            Map.entry(OTHER, new OffsetAndMetadata(3)));
  }

  @Test
  void a_partition_that_an_interceptor_has_emptied_has_no_position() {
    ConsumerRecords<String, String> records = polled(Map.of(
        ONE, List.of(),
        OTHER, List.of(ScriptedConsumer.record(OTHER, 2, Optional.empty()))));

    assertThat(PolledPositions.of(records).before())
        .containsOnly(Map.entry(OTHER, new OffsetAndMetadata(2)));
    assertThat(PolledPositions.of(records).after())
        .containsOnly(Map.entry(OTHER, new OffsetAndMetadata(3)));
  }

  @Test
  void a_poll_that_an_interceptor_made_anew_has_positions() {
    ConsumerRecords<String, String> records =
        polled(Map.of(ONE, List.of(ScriptedConsumer.record(ONE, 9, Optional.of(7)))));

    assertThat(PolledPositions.of(records).after())
        .containsOnly(Map.entry(ONE, new OffsetAndMetadata(10, Optional.of(7), "")));
  }

  @Test
  void a_reported_position_is_the_next() {
    ConsumerRecords<String, String> records =
        polled(Map.of(ONE, List.of(ScriptedConsumer.record(ONE, 9, Optional.empty()))));

    assertThat(
            PolledPositions.of(records, Map.of(ONE, new OffsetAndMetadata(12))).after())
        .containsOnly(Map.entry(ONE, new OffsetAndMetadata(12)));
  }

  @Test
  void a_record_behind_the_reported_position_was_moved_there() {
    ConsumerRecords<String, String> records = polled(Map.of(
        ONE, List.of(ScriptedConsumer.record(ONE, 9, Optional.empty())),
        OTHER, List.of(ScriptedConsumer.record(OTHER, 2, Optional.empty()))));

    assertThatExceptionOfType(AlteredPollException.class)
        .isThrownBy(() -> PolledPositions.of(
            records, Map.of(ONE, new OffsetAndMetadata(12), OTHER, new OffsetAndMetadata(2))))
        .withMessageContaining(OTHER + ": a poll that ended before offset 2 has a record");
  }

  @Test
  void records_that_an_interceptor_moved_to_another_partition_are_not_passed() {
    ConsumerRecords<String, String> records =
        polled(Map.of(OTHER, List.of(ScriptedConsumer.record(OTHER, 2, Optional.empty()))));

    assertThatExceptionOfType(AlteredPollException.class)
        .isThrownBy(() -> PolledPositions.of(records, Map.of(ONE, new OffsetAndMetadata(3))))
        .withMessageContaining("a poll of [" + ONE + "] has records of [" + OTHER + "]");
  }

  private static AssignedPartition<String, String> partitionAt(long next) {
    AssignedPartition<String, String> partition =
        ScriptedConsumer.assigned(ScriptedConsumer.PARTITION);
    partition.polled(List.of(), new OffsetAndMetadata(next));
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

      read.passMarkers(consumer);
      unread.passMarkers(consumer);

      assertThat(read.committable()).contains(new OffsetAndMetadata(7));
      assertThat(unread.committable()).isEmpty();
    }
  }

  @Test
  void a_revoked_partition_and_one_that_moved_back_stay_where_they_are() {
    try (ScriptedConsumer consumer = new ScriptedConsumer()) {
      AssignedPartition<String, String> partition = partitionAt(5);

      partition.passMarkers(consumer);
      consumer.assign(List.of(ScriptedConsumer.PARTITION));
      consumer.seek(ScriptedConsumer.PARTITION, 3);
      partition.passMarkers(consumer);

      assertThat(partition.committable()).contains(new OffsetAndMetadata(5));
    }
  }

  @Test
  void an_empty_poll_has_no_positions() {
    assertThat(PolledPositions.of(ConsumerRecords.empty()).after()).isEmpty();
  }
}
