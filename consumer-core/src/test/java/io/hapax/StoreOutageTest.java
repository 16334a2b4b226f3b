package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hapax.adapter.Outcome;
import io.hapax.errors.RejectedMessageException;
import io.hapax.health.Problem;
import io.hapax.internal.Engine;
import io.hapax.internal.message.Outcomes;
import io.hapax.mark.Bytes;
import io.hapax.mark.MarkState;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a receiver does that was told to go on without its store. */
class StoreOutageTest extends FailOpenFixture {

  @Test
  void a_message_runs_without_a_mark_after_the_patience_of_fail_open() throws Exception {
    bypassing(goesAway);

    assertThat(effects).containsExactly("first");
    assertThat(bypassed).containsExactly("NOT_CLAIMED first");
    assertThat(marks.find(List.of(key("first"))).get(0)).isEmpty();
  }

  @Test
  void nothing_runs_until_the_patience_has_expired() {
    Engine<String> engine = recording(goesAway);
    away = true;
    Outcomes waiting = submit(engine, "a");
    awaitFailures(1);

    nanos.addAndGet(HALF.toNanos());
    awaitFailures(2);
    nanos.addAndGet(HALF.toNanos() - 1);
    awaitFailures(2);
    assertThat(effects).isEmpty();
    assertThat(waiting.seen.get(0)).isEmpty();

    nanos.addAndGet(1);
    awaitOutcomes(waiting);
    assertThat(bypassed).containsExactly("NOT_CLAIMED a");
  }

  @Test
  void a_handler_sees_that_it_runs_unprotected() {
    bypassing(goesAway);

    assertThat(deliveries).singleElement().satisfies(delivery -> {
      assertThat(delivery.isProtected()).isFalse();
      assertThat(delivery.fencingToken()).isZero();
      assertThat(delivery.attempt()).isZero();
      assertThat(delivery.isCurrent()).isFalse();
      assertThat(delivery.leaseRemaining()).isZero();
      assertThat(delivery.leaseLost().toCompletableFuture()).isNotDone();
      assertThat(delivery.messageId()).isEqualTo("first");
    });
  }

  @Test
  void no_message_waits_for_the_store_while_it_is_bypassed() throws Exception {
    Engine<String> engine = bypassing(goesAway);

    assertThat(engine.receive(lane("p0", "a", "b"), PATIENCE))
        .containsOnly(new Outcome.Unprotected(Bytes.EMPTY));
    assertThat(claimed).doesNotContain("a", "b");
    assertThat(engine.health().problems())
        .extracting(Problem::kind, Problem::text)
        .contains(tuple(
            Problem.Kind.STORE_BYPASSED, "the store is bypassed: messages run without marks"));
  }

  @Test
  void a_finished_outage_does_not_count_for_the_next_one() {
    Engine<String> engine = recording(goesAway);
    away = true;
    Outcomes first = submit(engine, "a");
    awaitFailures(1);
    nanos.addAndGet(HALF.toNanos());
    awaitFailures(2);
    away = false;
    awaitOutcomes(first);

    away = true;
    submit(engine, "b");
    awaitFailures(1);
    nanos.addAndGet(HALF.toNanos());
    awaitFailures(2);
    nanos.addAndGet(HALF.toNanos() - 1);
    awaitFailures(2);

    assertThat(effects).containsExactly("a");
    assertThat(bypassed).isEmpty();
  }

  @Test
  void an_unsettled_message_is_acknowledged_and_its_mark_written_later() {
    Engine<String> engine = engine(LeaseSettings.DEFAULT, nanos::get, goesAway, delivery -> {
      effects.add(delivery.message());
      away = true;
    });
    Outcomes outcomes = submit(engine, "a");
    awaitFailures(1);
    assertThat(outcomes.seen.get(0)).isEmpty();

    staysAwayUntil(outcomes);
    assertThat(outcomes.seen.get(0)).containsExactly(new Outcome.Unprotected(Bytes.EMPTY));
    assertThat(bypassed).containsExactly("NOT_SETTLED a");

    away = false;
    Awaitility.await().atMost(PATIENCE).until(() -> mark("a").state() == MarkState.DONE);
    assertThat(outcomes.seen.get(0)).hasSize(1);
  }

  @Test
  void a_failed_message_is_redelivered_and_no_attempt_is_counted() throws Exception {
    Engine<String> engine = ready(engine(LeaseSettings.DEFAULT, nanos::get, goesAway, delivery -> {
      throw new IllegalStateException("refused");
    }));
    away = true;
    Outcomes outcomes = submit(engine, "a");
    staysAwayUntil(outcomes);

    for (int i = 0; i < 4; i++) {
      assertThat(engine.receive(lane("p0", "a"), PATIENCE).get(0))
          .isInstanceOfSatisfying(
              Outcome.Deferred.class,
              it -> assertThat(it.reason()).isEqualTo(Outcome.Reason.RETRY));
    }
    assertThat(buried).isEmpty();
  }

  @Test
  void a_message_that_no_attempt_can_mend_is_dead_lettered_all_the_same() throws Exception {
    Engine<String> engine = ready(engine(LeaseSettings.DEFAULT, nanos::get, goesAway, delivery -> {
      throw new RejectedMessageException("not like this");
    }));
    away = true;
    Outcomes outcomes = submit(engine, "a");
    staysAwayUntil(outcomes);

    assertThat(outcomes.seen.get(0).get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).hasSize(1);
  }

  @Test
  void a_batch_handler_gets_one_message_at_a_time_without_the_store() {
    List<Integer> sizes = new CopyOnWriteArrayList<>();
    Engine<String> engine = ready(
        batchEngine(LeaseSettings.DEFAULT, nanos::get, goesAway, many -> sizes.add(many.size())));
    away = true;
    Outcomes outcomes = submit(engine, "a", "b", "c");
    staysAwayUntil(outcomes);

    assertThat(sizes).containsExactly(1, 1, 1);
  }

  @Test
  void the_same_id_twice_in_a_poll_runs_once_even_then() throws Exception {
    Engine<String> engine = bypassing(goesAway);

    assertThat(engine.receive(lane("p0", "a", "a"), PATIENCE))
        .containsExactly(new Outcome.Unprotected(Bytes.EMPTY), new Outcome.Duplicate());
    assertThat(effects).containsExactly("first", "a");
  }
}
