package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.generation.GenerationMove;
import io.hapax.generation.Generations;
import io.hapax.health.Problem;
import io.hapax.internal.Engine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A consumer's generation, as receivers see it: they stay with one. */
class GenerationTest extends GenerationFixture {

  /** Listeners are notified after the problem was raised. */
  private void awaitMoves(String... seen) {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(moves).containsExactly(seen));
  }

  @Test
  void done_messages_run_again_after_the_generation_of_a_stopped_group_moved() throws Exception {
    IdempotentReceiver<String> before = receiver(OFTEN);
    handled(before, "a", "b");
    before.close();
    assertThat(Generations.scope(marks, SCOPE)).isEqualTo(SCOPE);
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
    move(0);

    IdempotentReceiver<String> after = receiver(OFTEN);
    handled(after, "a", "b");
    handled(after, "a");

    assertThat(effects).containsExactly("a", "b", "a", "b");
    assertThat(state(1, "a")).isEqualTo(MarkState.DONE);
  }

  @Test
  void a_receiver_claims_nothing_after_its_generation_has_moved() throws Exception {
    IdempotentReceiver<String> receiver = receiver(OFTEN);
    handled(receiver, "a");
    move(0);

    awaitProblem(receiver, "moved from 0 to 1");
    assertThat(receiver.problems())
        .extracting(Problem::text)
        .contains("generation of consumer orders moved from 0 to 1 while this receiver runs:"
            + " restart it");
    int sent = claims.get();
    List<Outcome> outcomes = receiver.receive(lane("p0", "a", "b"), Duration.ofMillis(50));

    assertThat(outcomes)
        .allMatch(it -> it instanceof Outcome.Deferred deferred
            && deferred.reason() == Outcome.Reason.ABANDONED);
    assertThat(claims).hasValue(sent);
    assertThat(effects).containsExactly("a");
    awaitMoves("0 -> 1");
    assertThat(receiver.health().well()).isFalse();
    handled(receiver(OFTEN), "b");
  }

  @Test
  void a_generation_move_lets_handlers_end_and_releases_unstarted_claims() throws Exception {
    Gate handler = new Gate();
    IdempotentReceiver<String> receiver =
        open(builder().lease(OFTEN).leased(store, delivery -> handler.pass()));
    Outcomes outcomes = new Outcomes(2);
    Submission submission = receiver.submit(lane("p0", "a", "b"), outcomes);
    handler.awaitReached();
    DedupStore blind = faulty((verb, items, call) -> verb.equals("list") ? List.of() : call.go());
    assertThat(Generations.advance(blind, SCOPE, 0)).isEqualTo(new GenerationMove.Moved(1));

    awaitProblem(receiver, "moved from 0 to 1");
    eventually(() -> state(0, "b") == MarkState.RETRY);
    handler.open();

    awaitAll(submission);
    assertThat(outcomes.seen.get(0))
        .hasOnlyElementsOfType(Outcome.Executed.class)
        .hasSize(1);
    assertThat(outcomes.seen.get(1))
        .hasOnlyElementsOfType(Outcome.Deferred.class)
        .hasSize(1);
    assertThat(state(0, "a")).isEqualTo(MarkState.DONE);
  }

  @Test
  void a_lost_generation_is_not_taken_for_one_that_never_moved() throws Exception {
    move(0);
    move(1);
    IdempotentReceiver<String> receiver = receiver(OFTEN);
    handled(receiver, "a");

    emptied.set(true);

    awaitProblem(receiver, "generation of consumer orders was 2 and is 0", "the store has lost it");
    assertThat(receiver.receive(lane("p0", "a"), Duration.ofMillis(50)))
        .noneMatch(Outcome::mayAcknowledge);
    assertThat(effects).containsExactly("a");
    awaitMoves("2 -> 0");
  }

  @Test
  void a_process_stopped_for_long_reads_the_generation_before_it_claims() throws Exception {
    Engine<String> engine = engine(SELDOM, nanos::get, store, this::record);
    engine.receive(lane("p0", "a"), PATIENCE);
    int sent = claims.get();
    move(0);

    nanos.addAndGet(Duration.ofSeconds(21).toNanos());
    Submission submission = engine.submit(lane("p0", "b"), new Outcomes(1));
    eventually(() -> !engine.health().well());
    submission.abandon();

    awaitAll(submission);
    assertThat(claims).hasValue(sent);
    assertThat(effects).containsExactly("a");
  }

  @Test
  void a_claim_delayed_by_a_stop_is_not_resent_under_a_moved_generation() throws Exception {
    Gate sent = new Gate();
    AtomicBoolean blocks = new AtomicBoolean();
    DedupStore blocking = faulty((verb, items, call) -> {
      claims.addAndGet(verb.equals("claim") ? 1 : 0);
      if (verb.equals("claim") && blocks.get()) {
        sent.pass();
        throw new StoreException("no answer in time");
      }
      return call.go();
    });
    Engine<String> engine = engine(SELDOM, nanos::get, blocking, this::record);
    engine.receive(lane("p0", "a"), PATIENCE);
    blocks.set(true);
    Outcomes outcomes = new Outcomes(1);
    engine.submit(lane("p0", "b"), outcomes);
    sent.awaitReached();
    int before = claims.get();

    move(0);
    nanos.addAndGet(Duration.ofSeconds(21).toNanos());
    blocks.set(false);
    sent.open();

    assertThat(outcomes.awaitFirst()).isTrue();
    assertThat(outcomes.seen.get(0)).hasOnlyElementsOfType(Outcome.Deferred.class);
    assertThat(claims).hasValue(before);
    assertThat(effects).containsExactly("a");
  }

  @Test
  void a_name_that_ends_like_a_generation_is_refused() {
    for (String name : List.of("orders#1", "orders#007", "#0", "generations#0")) {
      assertThatThrownBy(() -> Generations.current(marks, name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("consumer name is '" + name + "'");
      assertThatThrownBy(() -> IdempotentReceiver.<String>builder(name)
              .id(text -> Optional.empty())
              .noFingerprint()
              .leased(marks, delivery -> {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must not end with # and digits");
    }
    for (String name : List.of("orders#", "orders#1a", "1", "#1 ", "a#1/b")) {
      assertThat(Generations.current(marks, name)).isZero();
    }
  }

  @Test
  void a_name_too_long_for_a_generation_is_refused_when_it_is_moved() {
    String name = "n".repeat(MessageKey.MAX_SCOPE_BYTES);

    assertThat(Generations.current(marks, name)).isZero();
    assertThatThrownBy(() -> Generations.advance(marks, name, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("#1' but must be 1 to 200 UTF-8 bytes");
    assertThat(Generations.current(marks, name)).isZero();
  }

  @Test
  void an_unanswered_move_of_the_generation_is_not_reported_as_moved() {
    DedupStore away = faulty(before("settle", items -> {
      throw new StoreException("0 of 1 replicas had it");
    }));

    assertThatThrownBy(() -> Generations.advance(away, SCOPE, 0))
        .isInstanceOf(StoreException.class);
    assertThat(Generations.current(marks, SCOPE)).as("it may have been moved").isEqualTo(1);
    assertThat(Generations.advance(marks, SCOPE, 0)).isEqualTo(new GenerationMove.Unexpected(1));
  }
}
