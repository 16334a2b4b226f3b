package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.health.Problem;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which messages of a process that died are run at once by the process that takes them over. */
class SuspectsTest extends FaultFixture {

  private static final int WORKERS = 8;
  private static final LeaseSettings SHORT = LeaseSettings.of(Duration.ofMillis(1_500));

  private final Set<String> inside = ConcurrentHashMap.newKeySet();
  private final CountDownLatch met = new CountDownLatch(1);
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);

  /** Its last attempt is the third. */
  private void lostOnItsLastAttempt(String id) {
    for (int attempt = 1; attempt < 3; attempt++) {
      claimedElsewhere(id, false, Duration.ofMinutes(1));
      Verdict failed = new Verdict.Retry(Duration.ZERO, false);
      marks.settle(List.of(new Settlement(mark(id).claim(), failed)));
    }
    lost(false, id);
  }

  private void hang(Delivery<String> delivery) {
    if (delivery.message().equals("hangs")) {
      running.countDown();
      awaitUninterruptibly(go);
    }
    effects.add(delivery.message());
  }

  private void awaitEffects(String... messages) {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(effects).containsExactlyInAnyOrder(messages));
  }

  /** Awaits that these are the only problems. A busy machine may also renew a lease late. */
  private static void awaitProblems(IdempotentReceiver<String> receiver, Problem.Kind... kinds) {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(receiver.problems())
            .extracting(Problem::kind)
            .filteredOn(kind -> kind != Problem.Kind.LEASE_RENEWAL)
            .containsExactlyInAnyOrder(kinds));
  }

  @Test
  @DisplayName("invariant 10: 6,000 messages of a first loss keep all workers busy")
  void messages_of_a_first_loss_run_on_all_workers() throws Exception {
    List<String> ids = IntStream.range(0, 6_000).mapToObj(i -> "m" + i).toList();
    lost(false, ids.toArray(String[]::new));
    CyclicBarrier allAtOnce = new CyclicBarrier(WORKERS);
    IdempotentReceiver<String> receiver =
        open(builder().workers(WORKERS).leased(marks, delivery -> {
          var unused = allAtOnce.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
          assertThat(delivery.attempt()).isEqualTo(1);
        }));

    List<Outcome> outcomes = receiver.receive(apart(ids), PATIENCE.multipliedBy(4));

    assertThat(outcomes).allMatch(Outcome.Executed.class::isInstance);
  }

  @Test
  @DisplayName("invariant 14: a hung message of a first loss delays no other")
  void a_hung_message_of_a_first_loss_delays_no_other() throws Exception {
    lost(false, "hangs", "a", "b");
    IdempotentReceiver<String> receiver = open(builder().workers(2).leased(marks, this::hang));

    receiver.submit(lane("p0", "hangs"), IGNORED);
    running.await();
    receiver.submit(lane("p1", "a", "b"), IGNORED);

    awaitEffects("a", "b");
    go.countDown();
  }

  @Test
  @DisplayName("invariant 14: a hung message that was lost alone delays others for a lease")
  void a_hung_message_that_was_lost_alone_delays_others_for_one_lease() throws Exception {
    lost(true, "hangs", "a");
    lost(false, "b");
    IdempotentReceiver<String> receiver =
        open(builder().workers(3).lease(SHORT).leased(marks, this::hang));

    receiver.submit(lane("p0", "hangs"), IGNORED);
    running.await();
    receiver.submit(apart(List.of("b", "a")), IGNORED);

    awaitEffects("b", "a");
    awaitProblems(receiver, Problem.Kind.SUSPECT);
    awaitProblem(receiver, "orders/hangs", "p0@0", "PT1.5S", "waits for it");
    go.countDown();
    eventually(() -> receiver.health().well());
  }

  @Test
  @DisplayName("invariant 14: the limit of a handler counts in place of the lease")
  void a_message_that_outlives_its_limit_delays_others_until_then() throws Exception {
    lost(true, "hangs", "a");
    IdempotentReceiver<String> receiver = open(builder()
        .workers(2)
        .lease(
            new LeaseSettings(Duration.ofSeconds(30), Duration.ofSeconds(1), Duration.ofMillis(50)))
        .handlerTimeout(Duration.ofMillis(50))
        .leased(marks, this::hang));

    receiver.submit(lane("p0", "hangs"), IGNORED);
    running.await();
    receiver.submit(lane("p1", "a"), IGNORED);

    awaitEffects("a");
    awaitProblems(receiver, Problem.Kind.HANDLER_TIMEOUT, Problem.Kind.SUSPECT);
    go.countDown();
    eventually(() -> receiver.health().well());
  }

  /** Says whether another ran with the message that has to run alone, and runs for a moment. */
  private void meet(Delivery<String> delivery) throws InterruptedException {
    inside.add(delivery.message());
    if (inside.contains("alone") && inside.size() > 1) {
      met.countDown();
    }
    if (delivery.message().equals("alone")) {
      running.countDown();
      var unused = met.await(300, TimeUnit.MILLISECONDS);
    }
    inside.remove(delivery.message());
    effects.add(delivery.message());
  }

  private void assertRunsWithNoOther(DedupStore store) throws Exception {
    IdempotentReceiver<String> receiver = open(builder().workers(3).leased(store, this::meet));

    receiver.submit(lane("p0", "alone"), IGNORED);
    running.await();
    receiver.receive(apart(List.of("a", "b")), PATIENCE);

    assertThat(effects).startsWith("alone").hasSize(3);
    assertThat(met.getCount()).as("others that ran with it").isEqualTo(1);
  }

  @Test
  @DisplayName("invariant 10: a message that was lost alone runs while no other suspect runs")
  void a_message_that_was_lost_alone_runs_with_no_other_suspect() throws Exception {
    lost(true, "alone", "a");
    lost(false, "b");

    assertRunsWithNoOther(marks);
  }

  @Test
  @DisplayName("invariant 10: a suspect on its last attempt runs while no other suspect runs")
  void a_suspect_on_its_last_attempt_runs_with_no_other_suspect() throws Exception {
    lostOnItsLastAttempt("alone");
    lost(false, "a", "b");

    assertRunsWithNoOther(marks);
  }

  @Test
  @DisplayName("invariant 10: so does one that another process lost alone in the meantime")
  void a_suspect_that_was_lost_alone_in_the_meantime_runs_with_no_other() throws Exception {
    lost(false, "alone", "a", "b");
    AtomicBoolean once = new AtomicBoolean();
    Fault elsewhere = (verb, items, call) -> {
      boolean solo =
          verb.equals("claim") && ((ClaimRequest) items.get(0)).terms().solo();
      if (solo && !once.getAndSet(true)) {
        lost(true, "alone");
      }
      return call.go();
    };

    assertRunsWithNoOther(faulty(elsewhere));
  }

  @Test
  @DisplayName("invariant 10: a suspect that must run alone waits for those that run")
  void a_message_that_was_lost_alone_waits_for_those_of_a_first_loss() throws Exception {
    lost(false, "hangs");
    lost(true, "alone");
    IdempotentReceiver<String> receiver = open(builder().workers(2).leased(marks, this::hang));

    receiver.submit(lane("p0", "hangs"), IGNORED);
    running.await();
    CountDownLatch over = new CountDownLatch(1);
    receiver.submit(lane("p1", "alone"), (index, outcome) -> over.countDown());

    assertThat(over.await(300, TimeUnit.MILLISECONDS)).isFalse();
    go.countDown();
    assertThat(over.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(effects).containsExactly("hangs", "alone");
  }

  @Test
  void messages_of_a_first_loss_are_claimed_together() throws Exception {
    List<String> ids = IntStream.range(0, 40).mapToObj(i -> "m" + i).toList();
    lost(false, ids.toArray(String[]::new));
    List<Integer> calls = new CopyOnWriteArrayList<>();
    CountDownLatch never = new CountDownLatch(1);
    Fault slow = (verb, items, call) -> {
      if (verb.equals("claim") && ((ClaimRequest) items.get(0)).terms().solo()) {
        calls.add(items.size());
        var unused = never.await(50, TimeUnit.MILLISECONDS);
      }
      return call.go();
    };
    IdempotentReceiver<String> receiver =
        open(builder().workers(WORKERS).leased(faulty(slow), delivery -> {}));

    receiver.receive(apart(ids), PATIENCE);

    assertThat(calls.stream().mapToInt(it -> it).sum()).isEqualTo(40);
    assertThat(calls).hasSizeLessThan(20).allMatch(size -> size <= 2 * WORKERS);
  }
}
