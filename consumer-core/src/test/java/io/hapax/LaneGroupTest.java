package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.adapter.Submission;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Lanes to which a submission is appended while earlier ones have no outcome yet, leased mode. */
class LaneGroupTest extends LaneGroupFixture {

  @Test
  void the_next_window_is_claimed_and_runs_while_a_settlement_hangs() throws Exception {
    CountDownLatch settle = gate("settle");
    LaneGroup<String> lanes = receiver(builder()).port().openLanes();

    Submission first = submit(lanes, "a");
    awaitBegun("settle");
    Submission second = submit(lanes, "b");

    awaitBegun("claim b", "b");
    assertThat(first.await(Duration.ZERO)).isFalse();
    settle.countDown();
    awaitAll(first, second);
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void the_next_window_is_claimed_while_the_present_one_runs() throws Exception {
    CountDownLatch run = gate("a");
    LaneGroup<String> lanes = receiver(builder()).port().openLanes();

    Submission first = submit(lanes, "a", "b");
    awaitBegun("a");
    Submission second = submit(lanes, "c");

    awaitState("c", MarkState.PROCESSING);
    assertThat(effects).isEmpty();
    run.countDown();
    awaitAll(first, second);
    assertThat(effects).containsExactly("a", "b", "c");
  }

  @Test
  void windows_keep_their_order_when_a_later_claim_is_answered_first() throws Exception {
    CountDownLatch answer = gate("answer a");
    LaneGroup<String> lanes = receiver(builder()).port().openLanes();

    Submission first = submit(lanes, "a");
    awaitBegun("answer a");
    Submission second = submit(lanes, "b");
    awaitBegun("answer b");
    answer.countDown();

    awaitAll(first, second);
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void many_windows_of_many_lanes_keep_the_order_of_each_lane() throws Exception {
    LaneGroup<String> lanes =
        receiver(builder().workers(8).claimWindow(20)).port().openLanes();
    Submission last = submit(lanes, "first");
    for (int window = 0; window < 100; window++) {
      int number = 1000 + window;
      last = lanes.submit(
          both(lane("p1", "1-" + number, "1-" + number + "b"), lane("p2", "2-" + number)), IGNORED);
    }

    eventually(() -> effects.size() == 301);
    awaitAll(last);
    assertThat(effects.stream().filter(it -> it.startsWith("1-"))).isSorted().hasSize(200);
    assertThat(effects.stream().filter(it -> it.startsWith("2-"))).isSorted().hasSize(100);
  }

  @Test
  @DisplayName("invariant 12: the same id in two windows runs once, and the second waits")
  void the_same_id_in_two_windows_runs_once() throws Exception {
    CountDownLatch run = gate("a");
    LaneGroup<String> lanes = receiver(builder()).port().openLanes();
    Outcomes second = new Outcomes(2);
    Submission first = submit(lanes, "a");
    awaitBegun("a");
    Submission other = lanes.submit(both(lane("p0", "b"), lane("p1", "a")), second);
    run.countDown();

    awaitAll(first, other);

    assertThat(second.seen.get(1).get(0)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void two_lanes_whose_ids_cross_in_two_windows_come_through() throws Exception {
    LaneGroup<String> lanes = receiver(builder().claimWindow(1)).port().openLanes();
    Submission last = submit(lanes, "begin");
    for (int i = 0; i < 50; i++) {
      String x = "x" + i;
      String y = "y" + i;
      var unused = lanes.submit(both(lane("p0", x, y), lane("p1", y, x)), IGNORED);
      last = lanes.submit(both(lane("p1", x, y), lane("p0", y, x)), IGNORED);
    }

    awaitAll(last);
    assertThat(effects).hasSize(101).doesNotHaveDuplicates();
  }

  @Test
  void unfinished_claims_of_all_windows_together_are_bounded() throws Exception {
    CountDownLatch run = gate("a");
    LaneGroup<String> lanes = receiver(builder().claimWindow(4)).port().openLanes();
    Submission first = submit(lanes, "a", "b");
    Submission second = submit(lanes, "c", "d");
    Submission third = submit(lanes, "e", "f");
    awaitState("d", MarkState.PROCESSING);
    awaitBegun("a");
    assertThat(begun).doesNotContain("claim e", "claim f");

    run.countDown();

    awaitAll(first, second, third);
    assertThat(effects).containsExactly("a", "b", "c", "d", "e", "f");
  }

  @Test
  @DisplayName("invariant 14: a handler that hangs holds back its own lane only")
  void a_lane_that_hangs_does_not_use_up_the_claim_window() throws Exception {
    CountDownLatch run = gate("hangs");
    LaneGroup<String> lanes = receiver(builder().claimWindow(2)).port().openLanes();
    Submission hanging = submit(lanes, "hangs");
    awaitBegun("hangs");
    Submission behind = submit(lanes, "a", "b");
    Submission ahead = submit(lanes, "c");

    awaitAll(lanes.submit(lane("p1", "x", "y", "z"), IGNORED));

    assertThat(effects).containsExactly("x", "y", "z");
    run.countDown();
    awaitAll(hanging, behind, ahead);
    assertThat(effects).containsExactly("x", "y", "z", "hangs", "a", "b", "c");
  }

  @Test
  void a_submission_larger_than_the_claim_window_is_claimed() throws Exception {
    LaneGroup<String> lanes = receiver(builder().claimWindow(1)).port().openLanes();

    awaitAll(submit(lanes, "a", "b", "c"), submit(lanes, "d", "e"));

    assertThat(effects).containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  void at_most_once_no_more_is_claimed_than_there_are_workers() throws Exception {
    CountDownLatch run = gate("a0");
    LaneGroup<String> lanes = receiver(
            builder().workers(2).onUnknownOutcome(UnknownOutcomePolicy.deadLetter()))
        .port()
        .openLanes();
    Submission first = lanes.submit(both(lane("p0", "a0", "a1"), lane("p1", "b0")), IGNORED);
    awaitBegun("a0");
    Submission second = lanes.submit(both(lane("p0", "a2"), lane("p1", "b1", "b2")), IGNORED);

    awaitState("b2", MarkState.DONE); // the other lane goes on
    assertThat(begun).doesNotContain("claim a1", "claim a2");
    run.countDown();

    awaitAll(first, second);
    assertThat(effects.stream().filter(it -> it.startsWith("a")).collect(Collectors.toList()))
        .containsExactly("a0", "a1", "a2");
  }
}
