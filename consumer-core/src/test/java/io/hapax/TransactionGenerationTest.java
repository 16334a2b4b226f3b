package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.adapter.Outcome;
import io.hapax.generation.GenerationMove;
import io.hapax.generation.Generations;
import io.hapax.internal.Engine;
import io.hapax.internal.runtime.Platform;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A consumer's generation, in transactional mode. */
class TransactionGenerationTest extends TransactionFixture {

  private static final LeaseSettings SELDOM =
      new LeaseSettings(Duration.ofHours(9), Duration.ofHours(2), Duration.ofSeconds(5));

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicBoolean blocks = new AtomicBoolean();
  private final AtomicBoolean unreadable = new AtomicBoolean();
  private final Gate sent = new Gate();
  private RuntimeException failure = new StoreException("no answer in time");

  private Object held(String verb, Call call) throws Throwable {
    if (verb.equals("runOnce") && blocks.get()) {
      sent.pass();
      throw failure;
    }
    if (verb.equals("find") && unreadable.get()) {
      throw new StoreException("no permissions");
    }
    return call.go();
  }

  private Engine<String> engine() {
    return opened(Engine.transactional(
        engineSettings(SELDOM),
        transactions((verb, items, call) -> held(verb, call)),
        (transaction, deliveries) -> deliveries.forEach(this::record),
        Platform.with(nanos::get)));
  }

  private void move() {
    assertThat(Generations.advance(marks, SCOPE, 0)).isEqualTo(new GenerationMove.Moved(1));
  }

  /** A transaction fails after the process was stopped for a while. */
  private Outcomes stoppedWhileItsTransactionWasOnItsWay(
      Engine<String> engine, Runnable meanwhile, String... messages) throws InterruptedException {
    engine.receive(lane("p0", "a"), PATIENCE);
    blocks.set(true);
    Outcomes outcomes = new Outcomes(messages.length);
    engine.submit(lane("p0", messages), outcomes);
    sent.awaitReached();
    meanwhile.run();
    nanos.addAndGet(Duration.ofSeconds(21).toNanos());
    blocks.set(false);
    sent.open();
    assertThat(outcomes.awaitFirst()).isTrue();
    return outcomes;
  }

  /** Failures after which messages run again, run one by one, or are claimed for their attempt. */
  static Stream<Arguments> failures() {
    return Stream.of(
        arguments(new StoreException("no answer in time"), new String[] {"b", "c"}),
        arguments(new BrokenTransactionException("rolled back"), new String[] {"b", "c"}),
        arguments(new BrokenTransactionException("rolled back"), new String[] {"b"}));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void a_transaction_delayed_by_a_stop_is_not_rerun_in_a_moved_generation(
      RuntimeException thrown, String[] messages) throws Exception {
    failure = thrown;

    Outcomes outcomes = stoppedWhileItsTransactionWasOnItsWay(engine(), this::move, messages);

    assertThat(outcomes.seen.get(0)).hasOnlyElementsOfType(Outcome.Deferred.class);
    assertThat(effects).containsExactly("a");
    assertThat(state("b")).isEmpty();
  }

  @Test
  void a_transaction_is_run_again_though_the_generation_cannot_be_read() throws Exception {
    Outcomes outcomes =
        stoppedWhileItsTransactionWasOnItsWay(engine(), () -> unreadable.set(true), "b", "c");

    assertThat(outcomes.seen.get(0)).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(effects).containsExactly("a", "b", "c");
  }

  @Test
  void a_failed_attempt_is_counted_though_the_generation_cannot_be_read() throws Exception {
    failure = new BrokenTransactionException("rolled back");

    Outcomes outcomes =
        stoppedWhileItsTransactionWasOnItsWay(engine(), () -> unreadable.set(true), "b");

    assertThat(reason(outcomes, 0)).isEqualTo(Outcome.Reason.RETRY);
    assertThat(mark("b").claim().attempt().number()).isEqualTo(1);
  }

  @Test
  void a_transaction_that_waited_for_a_worker_is_not_run_in_a_moved_generation() throws Exception {
    Engine<String> engine = engine();
    engine.receive(lane("p0", "a"), PATIENCE);
    blocks.set(true);
    Outcomes waiting = new Outcomes(1);
    for (String lane : List.of("p0", "p1")) { // as many as there are workers
      engine.submit(lane(lane, lane), new Outcomes(1));
    }
    sent.awaitReached();
    engine.submit(lane("p2", "b"), waiting);
    move();
    nanos.addAndGet(Duration.ofSeconds(21).toNanos());
    blocks.set(false);
    sent.open();

    assertThat(waiting.awaitFirst()).isTrue();
    assertThat(waiting.seen.get(0)).hasOnlyElementsOfType(Outcome.Deferred.class);
    assertThat(effects).containsExactly("a");
  }
}
