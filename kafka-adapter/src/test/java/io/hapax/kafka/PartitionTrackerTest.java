package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName(
    "Invariant 13: committed offset <= lowest unfinished offset of partition and assignment")
class PartitionTrackerTest {

  private static final TopicPartition PARTITION = new TopicPartition("orders", 3);
  private static final Outcome DONE = new Outcome.Executed(1, 1);
  private static final long NOW = 1_000_000;
  private static final Duration SILENCE = Duration.ofMinutes(5);

  private final PartitionTracker<String, String> tracker = new PartitionTracker<>(PARTITION);

  @Test
  void nothing_is_committed_before_anything_was_polled() {
    assertThat(tracker.committable()).isEmpty();
  }

  @Test
  void the_lowest_unfinished_offset_is_committed_however_many_behind_it_are_done() {
    var window = polled(20, 10, 11, 12);

    tracker.resolved(window.get(1), DONE, NOW);
    tracker.resolved(window.get(2), DONE, NOW);
    assertThat(committable()).hasValue(10L);

    tracker.resolved(window.get(0), DONE, NOW);
    assertThat(committable()).hasValue(20L);
  }

  @Test
  void a_gap_is_neither_waited_for_nor_guessed() {
    var window = polled(50, 10, 17, 40);

    tracker.resolved(window.get(0), DONE, NOW);
    assertThat(committable()).hasValue(17L);
    tracker.resolved(window.get(1), DONE, NOW);
    assertThat(committable()).hasValue(40L);
  }

  @Test
  void a_poll_that_met_only_markers_moves_the_position() {
    polled(20);

    assertThat(committable()).hasValue(20L);
  }

  @Test
  void a_position_ahead_of_unfinished_records_is_not_committed() {
    polled(12, 10, 11);
    tracker.polled(List.of(), position(30));

    assertThat(committable()).hasValue(10L);
  }

  @Test
  void a_deferred_record_is_handed_in_again_after_its_wait_with_those_behind_it_in_order() {
    var window = polled(13, 10, 11, 12);

    tracker.resolved(window.get(0), DONE, NOW);
    tracker.resolved(window.get(2), deferred(Reason.BLOCKED, 0), NOW);
    tracker.resolved(window.get(1), deferred(Reason.BUSY, 100), NOW);

    assertThat(tracker.ready(NOW + 99)).isFalse();
    assertThat(tracker.full(500, NOW + 99)).isTrue();
    assertThat(tracker.problem(NOW, SILENCE))
        .hasValueSatisfying(it -> assertThat(it.text()).contains("@11", "BUSY"));
    assertThat(tracker.ready(NOW + 100)).isTrue();
    assertThat(tracker.take(500, NOW))
        .extracting(it -> it.record().offset())
        .containsExactly(11L, 12L);
    assertThat(committable()).hasValue(11L);
  }

  @Test
  void one_window_is_under_way_at_a_time_and_the_rest_waits_up_to_the_high_water_mark() {
    polled(11, 10);
    tracker.polled(List.of(record(11), record(12)), position(13));

    assertThat(tracker.ready(NOW)).isFalse();
    assertThat(tracker.full(3, NOW)).isFalse();
    assertThat(tracker.full(2, NOW)).isTrue();
  }

  @Test
  void an_outcome_of_an_old_assignment_does_not_touch_the_new_one() {
    var old = polled(11, 10).get(0);
    PartitionTracker<String, String> assignedAgain = new PartitionTracker<>(PARTITION);
    assignedAgain.polled(List.of(record(10)), position(11));
    assignedAgain.take(500, NOW);

    old.tracker().resolved(old, DONE, NOW);

    assertThat(assignedAgain.underway()).isTrue();
    assertThat(assignedAgain.committable().map(OffsetAndMetadata::offset)).hasValue(10L);
  }

  @Test
  void a_log_that_was_cut_keeps_what_lies_below_the_cut_and_reads_the_rest_again() {
    var window = polled(23, 20, 21, 22);
    tracker.resolved(window.get(0), DONE, NOW);
    tracker.commits().requested(21);
    tracker.commits().succeeded(21);

    tracker.polled(List.of(record(15), record(16)), position(17));
    tracker.resolved(window.get(1), DONE, NOW);
    tracker.resolved(window.get(2), deferred(Reason.BUSY, 100), NOW);

    assertThat(committable()).hasValue(15L);
    assertThat(tracker.problem(NOW, SILENCE)).isEmpty();
    assertThat(tracker.take(500, NOW))
        .extracting(it -> it.record().offset())
        .containsExactly(15L, 16L);
  }

  @Test
  void a_cut_above_an_unfinished_record_does_not_forget_it() {
    var window = polled(13, 10, 11, 12);
    tracker.resolved(window.get(0), deferred(Reason.BUSY, 0), NOW);
    tracker.resolved(window.get(1), deferred(Reason.BLOCKED, 0), NOW);
    tracker.resolved(window.get(2), deferred(Reason.BLOCKED, 0), NOW);

    tracker.polled(List.of(record(12)), position(13));

    assertThat(committable()).hasValue(10L);
    assertThat(tracker.take(500, NOW))
        .extracting(it -> it.record().offset())
        .containsExactly(10L, 11L, 12L);
  }

  @Test
  void a_cut_that_only_moved_the_position_is_seen_too() {
    polled(20);
    tracker.commits().requested(20);

    tracker.polled(List.of(), position(15));

    assertThat(committable()).hasValue(15L);
  }

  @Test
  void an_offset_is_requested_once_and_again_only_after_its_own_failure() {
    polled(20);
    tracker.commits().requested(20);
    assertThat(committable()).isEmpty();
    tracker.polled(List.of(), position(30));
    tracker.commits().requested(30);

    tracker.commits().failed(20);
    assertThat(committable()).isEmpty();
    tracker.commits().failed(30);
    assertThat(committable()).hasValue(30L);
  }

  @Test
  void probation_lasts_until_the_first_window_is_finished_as_a_whole() {
    var first = polled(12, 10, 11);
    tracker.resolved(first.get(0), DONE, NOW);
    tracker.resolved(first.get(1), deferred(Reason.ABANDONED, 0), NOW);
    assertThat(tracker.probation()).isTrue();

    tracker.resolved(tracker.take(500, NOW).get(0), DONE, NOW);

    assertThat(tracker.probation()).isFalse();
  }

  @Test
  void the_committed_offset_carries_the_leader_epoch_of_the_last_finished_record() {
    var window = polled(12, 10, 11);

    tracker.resolved(window.get(0), DONE, NOW);

    assertThat(tracker.committable().flatMap(OffsetAndMetadata::leaderEpoch)).hasValue(7);
  }

  private List<PartitionTracker.Slot<String, String>> polled(long next, long... offsets) {
    tracker.polled(
        LongStream.of(offsets).mapToObj(PartitionTrackerTest::record).toList(), position(next));
    return tracker.take(500, NOW);
  }

  private Optional<Long> committable() {
    return tracker.committable().map(OffsetAndMetadata::offset);
  }

  private static Optional<OffsetAndMetadata> position(long offset) {
    return Optional.of(new OffsetAndMetadata(offset));
  }

  private static Deferred deferred(Reason reason, long nanos) {
    return new Deferred(reason, Duration.ofNanos(nanos), "");
  }

  private static ConsumerRecord<String, String> record(long offset) {
    return new ConsumerRecord<>(
        PARTITION.topic(),
        PARTITION.partition(),
        offset,
        ConsumerRecord.NO_TIMESTAMP,
        TimestampType.NO_TIMESTAMP_TYPE,
        0,
        0,
        "key",
        "value",
        new RecordHeaders(),
        Optional.of(7));
  }
}
