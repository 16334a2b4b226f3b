package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.internal.Engine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.policy.StoreOutagePolicy;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How a receiver reads its generation, and what it does while it cannot. */
class GenerationReadingTest extends GenerationFixture {

  private static final StoreLoss LOSS = new StoreLoss("node 7", StoreLoss.Extent.EVERYTHING);

  private final List<String> idempotencyKeys = new CopyOnWriteArrayList<>();

  @Test
  void messages_wait_while_the_generation_cannot_be_read_and_run_once_it_can() throws Exception {
    unreadable.set(true);
    IdempotentReceiver<String> receiver = receiver(SELDOM);
    Outcomes outcomes = new Outcomes(2);
    Submission submission = receiver.submit(lane("p0", "a", "b"), outcomes);
    awaitProblem(receiver, "read the generation", "no permissions");
    assertThat(receiver.health().storeReachable()).isFalse();
    assertThat(claims).hasValue(0);

    unreadable.set(false);

    assertThat(submission.await(PATIENCE)).isTrue();
    assertThat(effects).containsExactly("a", "b");
    assertThat(outcomes.seen).allMatch(it -> it.size() == 1);
    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  void abandoning_before_the_generation_was_read_gives_outcomes_at_once() throws Exception {
    unreadable.set(true);
    IdempotentReceiver<String> receiver = receiver(SELDOM);
    Outcomes abandoned = new Outcomes(1);
    Outcomes closed = new Outcomes(1);
    Submission first = receiver.submit(lane("p0", "a"), abandoned);
    Submission second = receiver.submit(lane("p1", "b"), closed);
    awaitProblem(receiver, "read the generation");

    first.abandon();
    assertThat(first.await(PATIENCE)).isTrue();
    receiver.close();

    assertThat(second.await(PATIENCE)).isTrue();
    assertThat(abandoned.seen.get(0))
        .hasOnlyElementsOfType(Outcome.Deferred.class)
        .hasSize(1);
    assertThat(closed.seen.get(0)).hasOnlyElementsOfType(Outcome.Deferred.class).hasSize(1);
    assertThat(effects).isEmpty();
  }

  @Test
  void a_generation_that_cannot_be_read_for_a_while_is_only_a_problem() throws Exception {
    IdempotentReceiver<String> receiver = receiver(OFTEN);
    handled(receiver, "a");

    unreadable.set(true);
    awaitProblem(receiver, "generation of consumer orders could not be read");
    handled(receiver, "b");

    unreadable.set(false);
    Awaitility.await().atMost(PATIENCE).until(() -> receiver.problems().isEmpty());
    assertThat(effects).containsExactly("a", "b");
  }

  private Engine<String> failingOpen(Duration patience) {
    outage = StoreOutagePolicy.failOpen(patience);
    return engine(SELDOM, nanos::get, store, delivery -> {
      effects.add(delivery.message());
      idempotencyKeys.add(delivery.idempotencyKey());
    });
  }

  private void awaitFinds(int more) {
    int before = finds.get();
    Awaitility.await().atMost(PATIENCE).until(() -> finds.get() >= before + more);
  }

  @Test
  void no_message_runs_unprotected_before_the_generation_was_read() throws Exception {
    move(0);
    away.set(true);
    Engine<String> engine = failingOpen(Duration.ofSeconds(10));
    Outcomes outcomes = new Outcomes(1);
    engine.submit(lane("p0", "a"), outcomes);
    for (int i = 0; i < 4; i++) {
      awaitFinds(2);
      nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    }
    awaitFinds(2);
    assertThat(effects).isEmpty();

    away.set(false);

    assertThat(outcomes.awaitFirst()).isTrue();
    assertThat(outcomes.seen.get(0)).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(state(1, "a")).isEqualTo(MarkState.DONE);
    assertThat(idempotencyKeys)
        .containsExactly(HexFormat.of().formatHex(MessageKey.of("orders#1", "a").storeKey()));
  }

  @Test
  void a_hung_read_of_the_generation_does_not_block_after_fail_open() throws Exception {
    Engine<String> engine = failingOpen(Duration.ofSeconds(30));
    engine.receive(lane("p0", "a"), PATIENCE);
    hanging.set(true);
    away.set(true);
    Outcomes asked = new Outcomes(1);
    engine.submit(lane("p1", "b"), asked);
    Awaitility.await().until(() -> engine.health().problems().size() == 1);
    nanos.addAndGet(Duration.ofSeconds(21).toNanos());
    assertThat(hangs.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    Outcomes held = new Outcomes(1);
    engine.submit(lane("p2", "c"), held);

    AtomicInteger counted = new AtomicInteger(claims.get());
    Awaitility.await().atMost(PATIENCE).until(() -> {
      if (asked.seen.get(0).isEmpty() && counted.getAndSet(claims.get()) < claims.get()) {
        nanos.addAndGet(Duration.ofSeconds(15).toNanos()); // it was asked, and is away
      }
      return !asked.seen.get(0).isEmpty() && !held.seen.get(0).isEmpty();
    });
    assertThat(engine.receive(lane("p3", "d"), PATIENCE))
        .hasOnlyElementsOfType(Outcome.Unprotected.class);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c", "d");
    mayAnswer.countDown();
  }

  @Test
  void a_hung_read_of_the_generation_is_a_problem() throws Exception {
    IdempotentReceiver<String> receiver = receiver(OFTEN);
    handled(receiver, "a");

    hanging.set(true);

    awaitProblem(receiver, "generation of consumer orders could not be read: no answer yet after");
    hanging.set(false);
    mayAnswer.countDown();
    Awaitility.await().atMost(PATIENCE).until(() -> receiver.problems().isEmpty());
  }

  @Test
  void a_loss_reported_during_a_read_makes_the_generation_be_read_again() throws Exception {
    move(0);
    IdempotentReceiver<String> receiver = receiver(SELDOM);
    handled(receiver, "a");
    hanging.set(true);
    listeners.onDataLost(LOSS);
    assertThat(hangs.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    emptied.set(true);
    listeners.onDataLost(LOSS);
    hanging.set(false);
    mayAnswer.countDown();

    awaitProblem(receiver, "generation of consumer orders was 1 and is 0");
  }

  @Test
  void the_generation_is_read_once_and_not_for_each_submission() throws Exception {
    IdempotentReceiver<String> receiver = receiver(SELDOM);

    for (int i = 0; i < 50; i++) {
      handled(receiver, "m" + i);
    }

    assertThat(finds).hasValue(1);
  }
}
