package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.LaneGroup;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.adapter.Submission;
import io.hapax.errors.NotAppliedException;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Lanes to which a submission is appended while earlier ones have no outcome yet, leased mode. */
class LaneGroupTest extends FaultFixture {

  private static final ClaimTerms SOLO = new ClaimTerms(true, true, ClaimTerms.ANY_TIME);

  /** What handlers and calls of the store wait for; a message that is not in it runs at once. */
  private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();

  private final Set<String> begun = ConcurrentHashMap.newKeySet();
  private final Set<String> failing = ConcurrentHashMap.newKeySet();

  private CountDownLatch gate(String of) {
    CountDownLatch gate = new CountDownLatch(1);
    gates.put(of, gate);
    return gate;
  }

  private void pass(String of) throws InterruptedException {
    begun.add(of);
    CountDownLatch gate = gates.get(of);
    if (gate != null) {
      gate.await();
    }
  }

  @AfterEach
  void openGates() {
    gates.values().forEach(CountDownLatch::countDown);
  }

  /** Waits at "claim x" before it claims x, at "answer x" after it, and at "settle". */
  private Object gated(String verb, List<?> items, Call call) throws Throwable {
    if (verb.equals("find")) {
      pass("find");
    }
    if (verb.equals("settle")) {
      pass("settle");
      return call.go();
    }
    if (!verb.equals("claim") || asksForTheTime(items)) {
      return call.go();
    }
    for (Object request : items) {
      pass("claim " + idOf(request));
    }
    Object answer = call.go();
    for (Object request : items) {
      pass("answer " + idOf(request));
    }
    return answer;
  }

  private void handle(Delivery<String> delivery) throws Exception {
    pass(delivery.message());
    if (failing.remove(delivery.message())) {
      throw new NotAppliedException("gateway down");
    }
    effects.add(delivery.message());
  }

  private IdempotentReceiver<String> receiver(ReceiverBuilder<String> builder) {
    DedupStore store = faulty(this::gated);
    return ready(open(builder.leased(store, this::handle)));
  }

  private void awaitBegun(String... what) {
    Awaitility.await().atMost(PATIENCE).until(() -> begun.containsAll(List.of(what)));
  }

  private Optional<MarkState> state(String id) {
    return marks.find(List.of(key(id))).get(0).map(Mark::state);
  }

  private void awaitState(String id, MarkState state) {
    Awaitility.await().atMost(PATIENCE).until(() -> state(id).equals(Optional.of(state)));
  }

  private static Reason reason(Outcomes outcomes, int index) {
    return ((Outcome.Deferred) outcomes.seen.get(index).get(0)).reason();
  }

  private static Submission submit(LaneGroup<String> lanes, String... messages) {
    return lanes.submit(lane("p0", messages), (index, outcome) -> {});
  }

  private static void awaitAll(Submission... submissions) throws InterruptedException {
    for (Submission submission : submissions) {
      assertThat(submission.await(PATIENCE)).isTrue();
    }
  }

  @Test
  void the_next_window_is_claimed_and_runs_while_a_settlement_hangs() throws Exception {
    CountDownLatch settle = gate("settle");
    LaneGroup<String> lanes = receiver(builder()).openLanes();

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
    LaneGroup<String> lanes = receiver(builder()).openLanes();

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
    LaneGroup<String> lanes = receiver(builder()).openLanes();

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
    LaneGroup<String> lanes = receiver(builder().workers(8).claimWindow(20)).openLanes();
    Submission last = submit(lanes, "first");
    for (int window = 0; window < 100; window++) {
      int number = 1000 + window;
      last = lanes.submit(
          both(lane("p1", "1-" + number, "1-" + number + "b"), lane("p2", "2-" + number)),
          (index, outcome) -> {});
    }

    Awaitility.await().atMost(PATIENCE).until(() -> effects.size() == 301);
    awaitAll(last);
    assertThat(effects.stream().filter(it -> it.startsWith("1-"))).isSorted().hasSize(200);
    assertThat(effects.stream().filter(it -> it.startsWith("2-"))).isSorted().hasSize(100);
  }

  @Test
  @DisplayName("invariant 16: a claim that is answered after its lane stopped is released at once")
  void a_claim_answered_after_its_lane_stopped_is_released() throws Exception {
    failing.add("a");
    CountDownLatch run = gate("a");
    CountDownLatch answer = gate("answer b");
    LaneGroup<String> lanes = receiver(builder()).openLanes();
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
    LaneGroup<String> lanes = receiver(builder()).openLanes();
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
    claimElsewhere("busy");
    CountDownLatch run = gate("a");
    LaneGroup<String> lanes = receiver(builder()).openLanes();
    Submission first = submit(lanes, "a");
    awaitBegun("a");
    Submission second = submit(lanes, "b", "busy", "c");
    awaitState("c", MarkState.RETRY);

    Outcomes third = new Outcomes(1);
    lanes.submit(lane("p0", "d"), third);

    assertThat(third.awaitFirst()).isTrue();
    assertThat(reason(third, 0)).isEqualTo(Reason.BLOCKED);
    assertThat(state("d")).isEmpty();
    run.countDown();
    awaitAll(first, second);
    assertThat(effects).containsExactly("a", "b");
  }

  private void claimElsewhere(String id) {
    ClaimRequest request =
        new ClaimRequest(key(id), new Nonce(7, id.hashCode()), Fingerprint.NONE, Origin.NONE, SOLO);
    marks.claim(List.of(request), Duration.ofMinutes(1));
  }

  @Test
  void a_stopped_lane_defers_everything_until_it_is_restarted() throws Exception {
    claimElsewhere("busy");
    LaneGroup<String> lanes = receiver(builder()).openLanes();
    awaitAll(submit(lanes, "busy"));
    Outcomes blocked = new Outcomes(1);
    awaitAll(lanes.submit(lane("p0", "a"), blocked));
    Submission other = lanes.submit(lane("p1", "x"), (index, outcome) -> {});

    lanes.restart("p0");
    Outcomes again = new Outcomes(2);
    awaitAll(other, lanes.submit(lane("p0", "a", "b"), again));

    assertThat(reason(blocked, 0)).isEqualTo(Reason.BLOCKED);
    assertThat(again.seen).allMatch(it -> it.get(0) instanceof Outcome.Executed);
    assertThat(effects).containsExactlyInAnyOrder("x", "a", "b");
  }

  @Test
  @DisplayName("invariant 12: the same id in two windows runs once, and the second waits")
  void the_same_id_in_two_windows_runs_once() throws Exception {
    CountDownLatch run = gate("a");
    LaneGroup<String> lanes = receiver(builder()).openLanes();
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
    LaneGroup<String> lanes = receiver(builder().claimWindow(1)).openLanes();
    Submission last = submit(lanes, "begin");
    for (int i = 0; i < 50; i++) {
      String x = "x" + i;
      String y = "y" + i;
      var unused = lanes.submit(both(lane("p0", x, y), lane("p1", y, x)), (index, outcome) -> {});
      last = lanes.submit(both(lane("p1", x, y), lane("p0", y, x)), (index, outcome) -> {});
    }

    awaitAll(last);
    assertThat(effects).hasSize(101).doesNotHaveDuplicates();
  }

  @Test
  void unfinished_claims_of_all_windows_together_are_bounded() throws Exception {
    CountDownLatch run = gate("a");
    LaneGroup<String> lanes = receiver(builder().claimWindow(4)).openLanes();
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
    LaneGroup<String> lanes = receiver(builder().claimWindow(2)).openLanes();
    Submission hanging = submit(lanes, "hangs");
    awaitBegun("hangs");
    Submission behind = submit(lanes, "a", "b");
    Submission ahead = submit(lanes, "c");

    awaitAll(lanes.submit(lane("p1", "x", "y", "z"), (index, outcome) -> {}));

    assertThat(effects).containsExactly("x", "y", "z");
    run.countDown();
    awaitAll(hanging, behind, ahead);
    assertThat(effects).containsExactly("x", "y", "z", "hangs", "a", "b", "c");
  }

  @Test
  void a_submission_larger_than_the_claim_window_is_claimed() throws Exception {
    LaneGroup<String> lanes = receiver(builder().claimWindow(1)).openLanes();

    awaitAll(submit(lanes, "a", "b", "c"), submit(lanes, "d", "e"));

    assertThat(effects).containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  @DisplayName("revoke and close: windows in every state get their outcomes at once")
  void closing_lanes_ends_windows_in_every_state() throws Exception {
    CountDownLatch run = gate("running");
    CountDownLatch answer = gate("answer asking");
    LaneGroup<String> lanes = receiver(builder().claimWindow(3)).openLanes();
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

  private static Submission submitAs(
      LaneGroup<String> lanes, Outcomes outcomes, int index, String message) {
    return lanes.submit(lane("p0", message), (only, outcome) -> outcomes.accept(index, outcome));
  }

  @Test
  @DisplayName("invariant 16: windows behind an abandoned one are released before its handler ends")
  void an_abandoned_window_releases_those_behind_it_at_once() throws Exception {
    CountDownLatch run = gate("a");
    LaneGroup<String> lanes = receiver(builder()).openLanes();
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
        open(builder().leased(faulty(this::gated), this::handle)).openLanes();
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
    LaneGroup<String> lanes = receiver.openLanes();
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
  void at_most_once_no_more_is_claimed_than_there_are_workers() throws Exception {
    CountDownLatch run = gate("a0");
    LaneGroup<String> lanes = receiver(
            builder().workers(2).onUnknownOutcome(UnknownOutcomePolicy.deadLetter()))
        .openLanes();
    Submission first =
        lanes.submit(both(lane("p0", "a0", "a1"), lane("p1", "b0")), (index, outcome) -> {});
    awaitBegun("a0");
    Submission second =
        lanes.submit(both(lane("p0", "a2"), lane("p1", "b1", "b2")), (index, outcome) -> {});

    awaitState("b2", MarkState.DONE); // the other lane goes on
    assertThat(begun).doesNotContain("claim a1", "claim a2");
    run.countDown();

    awaitAll(first, second);
    assertThat(effects.stream().filter(it -> it.startsWith("a")).collect(Collectors.toList()))
        .containsExactly("a0", "a1", "a2");
  }

  @Test
  void at_most_once_a_failure_blocks_later_windows() throws Exception {
    failing.add("a");
    CountDownLatch run = gate("a");
    LaneGroup<String> lanes =
        receiver(builder().onUnknownOutcome(UnknownOutcomePolicy.deadLetter())).openLanes();
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
