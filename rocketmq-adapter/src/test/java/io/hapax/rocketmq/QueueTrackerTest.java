package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Invariant 13: committed is never more than the lowest unfinished offset")
class QueueTrackerTest {

  private static final Outcome DONE = new Outcome.Executed(1, 1);

  private final QueueTracker tracker = new QueueTracker(new MessageQueue("orders", "local", 0));

  private void polled(long... offsets) {
    tracker.polled(LongStream.of(offsets).mapToObj(QueueTrackerTest::message).toList());
  }

  private static MessageExt message(long offset) {
    MessageExt message = new MessageExt();
    message.setQueueOffset(offset);
    return message;
  }

  private static Outcome later(int seconds) {
    return new Outcome.Deferred(Outcome.Reason.RETRY, Duration.ofSeconds(seconds), "no such item");
  }

  @Test
  void nothing_is_committed_before_something_was_polled() {
    assertThat(tracker.committable()).isEmpty();
  }

  @Test
  void the_lowest_unfinished_message_holds_the_commit_back_whatever_is_done_behind_it() {
    polled(5, 6, 9);
    List<QueueTracker.Slot> window = tracker.take(10, 0);

    tracker.resolved(window.get(2), DONE, 0);
    tracker.resolved(window.get(1), DONE, 0);
    assertThat(tracker.committable()).hasValue(5);

    tracker.resolved(window.get(0), DONE, 0);
    assertThat(tracker.committable()).hasValue(10);
  }

  @Test
  void offsets_that_a_filter_left_out_are_not_waited_for() {
    polled(5, 9);
    List<QueueTracker.Slot> window = tracker.take(10, 0);

    tracker.resolved(window.get(0), DONE, 0);

    assertThat(tracker.committable()).hasValue(9);
  }

  @Test
  void a_deferred_message_is_taken_again_when_its_time_has_come_and_not_what_was_done_behind_it() {
    polled(5, 6);
    List<QueueTracker.Slot> window = tracker.take(10, 0);
    tracker.resolved(window.get(0), later(2), 0);
    tracker.resolved(window.get(1), DONE, 0);

    assertThat(tracker.ready(Duration.ofSeconds(1).toNanos())).isFalse();
    assertThat(tracker.problem(0, Duration.ofMinutes(5)).orElseThrow().text())
        .isEqualTo("orders-local-0@5: RETRY: no such item");
    assertThat(tracker.ready(Duration.ofSeconds(2).toNanos())).isTrue();
    assertThat(tracker.take(10, Duration.ofSeconds(2).toNanos()))
        .extracting(slot -> slot.message().getQueueOffset())
        .containsExactly(5L);
    assertThat(tracker.committable()).hasValue(5);
  }

  @Test
  void only_a_window_that_was_finished_as_a_whole_ends_the_probation() {
    polled(5, 6);
    List<QueueTracker.Slot> window = tracker.take(10, 0);
    tracker.resolved(window.get(0), DONE, 0);
    tracker.resolved(window.get(1), later(1), 0);
    assertThat(tracker.probation()).isTrue();

    tracker.resolved(tracker.take(10, 0).get(0), DONE, 0);
    assertThat(tracker.probation()).isFalse();
  }

  @Test
  void what_was_polled_before_begins_another_epoch() {
    polled(5, 6);

    assertThat(tracker.isAhead(7)).isTrue();
    assertThat(tracker.isAhead(6)).isFalse();
  }

  @Test
  void silence_of_what_is_under_way_is_a_problem() {
    polled(5);
    var unused = tracker.take(10, 0);

    assertThat(tracker.problem(Duration.ofMinutes(4).toNanos(), Duration.ofMinutes(5)))
        .isEmpty();
    assertThat(tracker
            .problem(Duration.ofMinutes(6).toNanos(), Duration.ofMinutes(5))
            .orElseThrow()
            .text())
        .contains("orders-local-0@5", "no outcome for more than PT5M");
  }
}
