package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.adapter.Submission;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Lanes that stop: what becomes of the submissions behind. */
class LaneGroupStopTest extends LaneGroupFixture {

  private static Submission submitAs(
      LaneGroup<String> lanes, Outcomes outcomes, int index, String message) {
    return lanes.submit(lane("p0", message), (only, outcome) -> outcomes.accept(index, outcome));
  }

  @Test
  @DisplayName("invariant 16: a claim that is answered after its lane stopped is released at once")
  void a_claim_answered_after_its_lane_stopped_is_released() throws Exception {
    failing.add("a");
    CountDownLatch run = gate("a");
    CountDownLatch answer = gate("answer b");
    LaneGroup<String> lanes = receiver(builder()).port().openLanes();
    Outcomes second = new Outcomes(1);

    Submission first = submit(lanes, "a");
    awaitBegun("a");
    lanes.submit(lane("p0", "b"), second);
    awaitBegun("answer b");
    run.countDown();
    awaitAll(first);
    answer.countDown();

    assertThat(second.awaitFirst()).isTrue();
    assertThat(reason(second, 0)).isEqualTo(Reason.BLOCKED);
    assertThat(mark("b"))
        .returns(MarkState.RETRY, Mark::state)
        .returns(0, mark -> mark.claim().attempt().number());
    assertThat(effects).isEmpty();
  }

  @Test
  @DisplayName("invariant 16: behind a failed message all windows of its lane are released")
  void a_failure_releases_the_claims_of_later_windows() throws Exception {
    failing.add("a");
    CountDownLatch run = gate("a");
    LaneGroup<String> lanes = receiver(builder()).port().openLanes();
    Submission first = submit(lanes, "a");
    awaitBegun("a");
    Submission second = submit(lanes, "b");
    Submission third = submit(lanes, "c", "d");
    awaitState("b", MarkState.PROCESSING);
    awaitState("d", MarkState.PROCESSING);

    run.countDown();

    awaitAll(first, second, third);
    assertThat(Stream.of("b", "c", "d").map(this::state))
        .containsOnly(Optional.of(MarkState.RETRY));
    assertThat(effects).isEmpty();
  }

  @Test
  @DisplayName("invariant 16: windows behind a busy message are released before its turn comes")
  void a_busy_message_releases_later_windows_while_an_earlier_one_runs() throws Exception {
    claimedElsewhere("busy", true, Duration.ofMinutes(1));
    CountDownLatch run = gate("a");
    LaneGroup<String> lanes = receiver(builder()).port().openLanes();
    Submission first = submit(lanes, "a");
    awaitBegun("a");
    Submission second = submit(lanes, "b", "busy", "c");
    awaitState("c", MarkState.RETRY);
    assertThat(mark("c").claim().attempt().number()).isZero();

    Outcomes third = new Outcomes(1);
    lanes.submit(lane("p0", "d"), third);

    assertThat(third.awaitFirst()).isTrue();
    assertThat(reason(third, 0)).isEqualTo(Reason.BLOCKED);
    assertThat(state("d")).isEmpty();
    run.countDown();
    awaitAll(first, second);
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void a_stopped_lane_defers_everything_until_it_is_restarted() throws Exception {
    claimedElsewhere("busy", true, Duration.ofMinutes(1));
    LaneGroup<String> lanes = receiver(builder()).port().openLanes();
    awaitAll(submit(lanes, "busy"));
    Outcomes blocked = new Outcomes(1);
    awaitAll(lanes.submit(lane("p0", "a"), blocked));
    Submission other = lanes.submit(lane("p1", "x"), IGNORED);

    lanes.restart("p0");
    Outcomes again = new Outcomes(2);
    awaitAll(other, lanes.submit(lane("p0", "a", "b"), again));

    assertThat(reason(blocked, 0)).isEqualTo(Reason.BLOCKED);
    assertThat(again.seen).allMatch(it -> it.get(0) instanceof Outcome.Executed);
    assertThat(effects).containsExactlyInAnyOrder("x", "a", "b");
  }

  @Test
  void closing_lanes_ends_windows_in_every_state() throws Exception {
    CountDownLatch run = gate("running");
    CountDownLatch answer = gate("answer asking");
    LaneGroup<String> lanes = receiver(builder().claimWindow(3)).port().openLanes();
    Submission running = submit(lanes, "running");
    awaitBegun("running");
    Outcomes outcomes = new Outcomes(3);
    Submission claimed = submitAs(lanes, outcomes, 0, "claimed");
    awaitState("claimed", MarkState.PROCESSING);
    Submission asking = submitAs(lanes, outcomes, 1, "asking");
    awaitBegun("answer asking");
    Submission waiting = submitAs(lanes, outcomes, 2, "waiting");

    lanes.close();

    awaitAll(claimed, waiting);
    answer.countDown();
    awaitAll(asking);
    assertThat(running.await(Duration.ZERO)).isFalse();
    run.countDown();
    awaitAll(running);
    assertThat(effects).containsExactly("running");
    assertThat(state("running")).contains(MarkState.DONE);
    assertThat(Stream.of("claimed", "asking").map(this::state))
        .containsOnly(Optional.of(MarkState.RETRY));
    assertThat(state("waiting")).isEmpty();
    assertThat(outcomes.seen.stream().map(List::size)).containsOnly(1);
    assertThatIllegalStateException().isThrownBy(() -> submit(lanes, "late"));
  }

  @Test
  @DisplayName("invariant 16: windows behind an abandoned one are released before its handler ends")
  void an_abandoned_window_releases_those_behind_it_at_once() throws Exception {
    CountDownLatch run = gate("a");
    LaneGroup<String> lanes = receiver(builder()).port().openLanes();
    Submission first = submit(lanes, "a", "b");
    awaitBegun("a");
    Submission second = submit(lanes, "c");
    awaitState("c", MarkState.PROCESSING);

    first.abandon();

    awaitAll(second);
    assertThat(state("c")).contains(MarkState.RETRY);
    assertThat(state("b")).contains(MarkState.RETRY);
    run.countDown();
    awaitAll(first);
    assertThat(effects).containsExactly("a");
  }

  @Test
  void a_window_behind_one_that_was_abandoned_before_it_began_is_blocked() throws Exception {
    CountDownLatch find = gate("find"); // until the generation is known nothing is claimed
    LaneGroup<String> lanes =
        open(builder().leased(faulty(this::gated), this::handle)).port().openLanes();
    Submission first = submit(lanes, "a");
    first.abandon();
    awaitAll(first);
    Outcomes second = new Outcomes(1);
    Submission other = lanes.submit(lane("p0", "b"), second);

    find.countDown();

    awaitAll(other);
    assertThat(reason(second, 0)).isEqualTo(Reason.BLOCKED);
    assertThat(effects).isEmpty();
  }

  @Test
  void closing_the_receiver_ends_all_windows() throws Exception {
    CountDownLatch run = gate("a");
    IdempotentReceiver<String> receiver = receiver(builder().claimWindow(2));
    LaneGroup<String> lanes = receiver.port().openLanes();
    Submission first = submit(lanes, "a");
    awaitBegun("a");
    Submission second = submit(lanes, "b");
    awaitState("b", MarkState.PROCESSING);
    Submission third = submit(lanes, "c");

    receiver.close(Duration.ofMillis(100));

    awaitAll(first, second, third);
    run.countDown();
    assertThat(effects).doesNotContain("b", "c");
    assertThatThrownBy(() -> submit(lanes, "late")).isInstanceOf(ReceiverClosedException.class);
  }

  @Test
  void at_most_once_a_failure_blocks_later_windows() throws Exception {
    failing.add("a");
    CountDownLatch run = gate("a");
    LaneGroup<String> lanes = receiver(
            builder().onUnknownOutcome(UnknownOutcomePolicy.deadLetter()))
        .port()
        .openLanes();
    Submission first = submit(lanes, "a");
    awaitBegun("a");
    Outcomes second = new Outcomes(1);
    Submission other = lanes.submit(lane("p0", "b"), second);
    run.countDown();

    awaitAll(first, other);
    assertThat(reason(second, 0)).isEqualTo(Reason.BLOCKED);
    assertThat(state("b")).isEmpty();
  }
}
