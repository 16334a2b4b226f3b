package io.hapax.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.health.Problem.Kind;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName(
    "Invariant 13: committed offset <= lowest unfinished offset of partition and assignment")
class OffsetTrackerTest {

  private static final Outcome DONE = new Outcome.Executed(1, 1);
  private static final long NOW = 1_000_000;
  private static final Duration SILENCE = Duration.ofMinutes(5);

  private final OffsetTracker<String> tracker = new OffsetTracker<>("orders-3");

  private List<PolledMessage<String>> polled(long... offsets) {
    LongStream.of(offsets).forEach(it -> tracker.polled(Handout.always("m" + it), it));
    return tracker.take(500, NOW);
  }

  private List<Long> taken() {
    return taken(NOW);
  }

  private List<Long> taken(long now) {
    return tracker.take(500, now).stream().map(PolledMessage::offset).toList();
  }

  private static Deferred deferred(Reason reason, long nanos) {
    return new Deferred(reason, Duration.ofNanos(nanos), "");
  }

  private void resolve(PolledMessage<String> slot, Outcome outcome) {
    tracker.resolved(slot, outcome, NOW);
  }

  @Test
  void the_lowest_unfinished_offset_holds_back_those_behind_it() {
    assertThat(tracker.lowestUnfinished()).as("before anything was polled").isEmpty();
    var window = polled(10, 11, 12);

    resolve(window.get(1), DONE);
    resolve(window.get(2), DONE);
    assertThat(tracker.lowestUnfinished()).hasValue(10);

    resolve(window.get(0), DONE);
    assertThat(tracker.lowestUnfinished()).hasValue(13);
  }

  @Test
  @DisplayName("Invariant 14: an outcome that never arrives stops its partition, and is a problem")
  void an_outcome_that_never_arrives_stops_its_partition() {
    var window = polled(10, 11, 12);
    resolve(window.get(1), DONE);
    resolve(window.get(2), DONE);
    tracker.polled(Handout.always("m13"), 13);
    assertThat(tracker.ready(NOW, 2)).isFalse();
    assertThat(tracker.ready(NOW, 3)).isTrue();
    long late = NOW + SILENCE.toNanos() + 1;

    assertThat(tracker.problem(NOW + SILENCE.toNanos(), SILENCE)).isEmpty();
    assertThat(tracker.problem(late, SILENCE))
        .get()
        .hasToString(
            "Found[kind=NO_PROGRESS, subject=orders-3@10, text=orders-3@10: no outcome for more than"
                + " PT5M (1 under way)]");
    resolve(window.get(0), DONE);
    assertThat(tracker.ready(NOW, 0)).isTrue();
  }

  @Test
  void a_deferred_message_in_front_of_finished_ones_is_ready_when_none_is_in_flight() {
    var window = polled(10, 11, 12, 13);
    resolve(window.get(1), DONE);
    resolve(window.get(3), DONE);
    resolve(window.get(0), deferred(Reason.RETRY, 0));
    resolve(window.get(2), deferred(Reason.RETRY, 0));

    resolve(tracker.take(1, NOW).get(0), DONE);

    assertThat(tracker.stopped()).isFalse();
    assertThat(tracker.ready(NOW, 0)).isTrue();
    assertThat(taken()).containsExactly(12L);
  }

  @Test
  void a_gap_is_neither_waited_for_nor_guessed() {
    var window = polled(10, 17, 40);

    resolve(window.get(0), DONE);
    assertThat(tracker.lowestUnfinished()).hasValue(17);
    resolve(window.get(1), DONE);
    assertThat(tracker.lowestUnfinished()).hasValue(40);
  }

  @Test
  void a_position_counts_once_all_messages_are_finished() {
    var window = polled(10);
    tracker.positioned(30);
    assertThat(tracker.lowestUnfinished()).hasValue(10);

    resolve(window.get(0), DONE);

    assertThat(tracker.lowestUnfinished()).hasValue(30);
    assertThat(tracker.next()).hasValue(30);
    assertThat(tracker.lastFinished()).hasValue("m10");
  }

  @Test
  void a_deferred_message_is_taken_again_after_its_wait_with_those_behind_it() {
    var window = polled(10, 11, 12);

    resolve(window.get(0), DONE);
    resolve(window.get(2), deferred(Reason.BLOCKED, 0));
    resolve(window.get(1), deferred(Reason.BUSY, 100));

    assertThat(tracker.ready(NOW + 99, 0)).isFalse();
    assertThat(tracker.waiting(NOW + 99)).isTrue();
    assertThat(tracker.remaining(NOW + 40)).isEqualTo(Duration.ofNanos(60));
    assertThat(tracker.ready(NOW + 100, 0)).isTrue();
    assertThat(taken(NOW + 100)).containsExactly(11L, 12L);
    assertThat(tracker.lowestUnfinished()).hasValue(11);
  }

  @Test
  void a_wait_of_a_thousand_years_does_not_overflow() {
    var window = polled(10);

    resolve(window.get(0), new Deferred(Reason.RETRY, Duration.ofDays(365_000), ""));

    assertThat(tracker.waiting(NOW + Duration.ofDays(300).toNanos())).isTrue();
  }

  @Test
  void an_outcome_of_an_old_assignment_does_not_touch_the_new_one() {
    var old = polled(10).get(0);
    OffsetTracker<String> assignedAgain = new OffsetTracker<>("orders-3");
    assignedAgain.polled(Handout.always("m10"), 10);
    var unused = assignedAgain.take(500, NOW);

    old.tracker().resolved(old, DONE, NOW);

    assertThat(assignedAgain.underway()).isTrue();
    assertThat(assignedAgain.lowestUnfinished()).hasValue(10);
  }

  @Test
  void a_log_that_was_cut_is_read_again_from_the_cut() {
    var window = polled(20, 21, 22);
    resolve(window.get(0), DONE);

    assertThat(tracker.cutFrom(15)).isTrue();
    tracker.polled(Handout.always("m15"), 15);
    assertThat(tracker.cutFrom(16)).isFalse();
    tracker.polled(Handout.always("m16"), 16);
    resolve(window.get(1), DONE);
    resolve(window.get(2), deferred(Reason.BUSY, 100));

    assertThat(tracker.lowestUnfinished()).hasValue(15);
    assertThat(tracker.problem(NOW, SILENCE)).isEmpty();
    assertThat(taken()).containsExactly(15L, 16L);
  }

  @Test
  void a_cut_above_an_unfinished_message_does_not_forget_it() {
    var window = polled(10, 11, 12);
    resolve(window.get(0), deferred(Reason.BUSY, 0));
    resolve(window.get(1), deferred(Reason.BLOCKED, 0));
    resolve(window.get(2), deferred(Reason.BLOCKED, 0));

    assertThat(tracker.cutFrom(12)).isTrue();
    tracker.polled(Handout.always("m12"), 12);

    assertThat(tracker.lowestUnfinished()).hasValue(10);
    assertThat(taken()).containsExactly(10L, 11L, 12L);
  }

  @Test
  void probation_lasts_until_a_window_is_finished_as_a_whole() {
    var first = polled(10, 11);
    resolve(first.get(0), DONE);
    resolve(first.get(1), deferred(Reason.ABANDONED, 0));
    assertThat(tracker.probation()).isTrue();

    resolve(tracker.take(500, NOW).get(0), DONE);

    assertThat(tracker.probation()).isFalse();
  }

  @Test
  void further_windows_are_ready_up_to_the_limit_in_flight() {
    polled(10, 11);
    tracker.polled(Handout.always("m12"), 12);
    assertThat(tracker.underway()).isTrue();
    assertThat(tracker.buffered()).isEqualTo(1);
    assertThat(tracker.ready(NOW, 0)).isFalse();

    assertThat(tracker.ready(NOW, 1)).isFalse();
    assertThat(tracker.ready(NOW, 2)).isTrue();
    assertThat(taken()).as("nothing is taken twice").containsExactly(12L);
    assertThat(tracker.buffered()).isZero();
    assertThat(tracker.ready(NOW, 500)).as("with nothing buffered").isFalse();
  }

  @Test
  void after_a_deferral_no_window_is_ready_until_all_outcomes_are_known() {
    var first = polled(10, 11);
    tracker.polled(Handout.always("m12"), 12);
    var second = tracker.take(500, NOW);
    tracker.polled(Handout.always("m13"), 13);
    resolve(first.get(0), deferred(Reason.BUSY, 100));
    resolve(first.get(1), deferred(Reason.BLOCKED, 0));
    assertThat(tracker.stopped()).isTrue();
    assertThat(tracker.ready(NOW + 100, 500)).isFalse();

    resolve(second.get(0), deferred(Reason.BLOCKED, 0));
    assertThat(tracker.ready(NOW + 99, 500)).isFalse();
    assertThat(tracker.ready(NOW + 100, 500)).isTrue();

    assertThat(taken(NOW + 100)).containsExactly(10L, 11L, 12L, 13L);
    assertThat(tracker.stopped()).isFalse();
  }

  @Test
  void a_deferred_message_is_a_problem_until_it_is_finished() {
    resolve(polled(11).get(0), new Deferred(Reason.RETRY, Duration.ofNanos(100), "no such item"));
    Problems.Found waiting = new Problems.Found(
        Kind.PARTITION_WAITING, "orders-3@11", "orders-3@11: RETRY: no such item");
    assertThat(tracker.problem(NOW, SILENCE)).hasValue(waiting);

    var again = tracker.take(500, NOW + 100).get(0);
    assertThat(tracker.problem(NOW, SILENCE)).as("while it is tried again").hasValue(waiting);

    resolve(again, DONE);
    assertThat(tracker.problem(NOW, SILENCE)).isEmpty();
  }
}
