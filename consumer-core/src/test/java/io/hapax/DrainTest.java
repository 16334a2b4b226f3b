package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Closing a receiver while a handler runs, in leased mode. */
class DrainTest extends FaultFixture {

  private final Gate handler = new Gate();
  private final List<Boolean> leftInterrupted = new CopyOnWriteArrayList<>();
  private final Outcomes outcomes = new Outcomes(2);
  private Thread closing = new Thread();

  /** A closer waits, while {@code a} runs and {@code b} stands behind it. */
  @BeforeEach
  void closesWhileItHandles() throws Exception {
    IdempotentReceiver<String> receiver =
        open(builder().drainTimeout(ChronoUnit.FOREVER.getDuration()).leased(marks, delivery -> {
          handler.pass();
          effects.add(delivery.message());
        }));
    receiver.submit(lane("p0", "a", "b"), outcomes);
    handler.awaitReached();
    closing = new Thread(() -> {
      receiver.close();
      leftInterrupted.add(Thread.currentThread().isInterrupted());
    });
    closing.start();
    eventually(() -> closing.getState() == Thread.State.TIMED_WAITING);
  }

  private Outcome outcome(int index) {
    return outcomes.seen.get(index).get(0);
  }

  private void closed() throws InterruptedException {
    closing.join(PATIENCE.toMillis());
    assertThat(closing.isAlive()).isFalse();
  }

  @Test
  void what_runs_is_waited_for_and_done_and_what_has_not_begun_is_given_back() throws Exception {
    eventually(() -> !outcomes.seen.get(1).isEmpty());
    assertThat(((Outcome.Deferred) outcome(1)).reason()).isEqualTo(Outcome.Reason.ABANDONED);
    assertThat(mark("b").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("b").claim().attempt().number()).isZero();
    assertThat(closing.isAlive()).isTrue();

    handler.open();
    closed();

    assertThat(outcome(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
    assertThat(effects).containsExactly("a");
    assertThat(leftInterrupted).containsExactly(false);
  }

  @Test
  @DisplayName("invariant 1: an interrupted close acknowledges no message that was running")
  void an_interrupted_closer_returns_at_once_with_its_flag_and_loses_nothing() throws Exception {
    closing.interrupt();
    closed();

    assertThat(leftInterrupted).containsExactly(true);
    assertThat(outcomes.seen)
        .allSatisfy(it -> assertThat(it).singleElement().isInstanceOf(Outcome.Deferred.class));
    clock.advance(Duration.ofHours(1));
    List<Boolean> recoveries = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> next =
        open(builder().leased(marks, delivery -> recoveries.add(delivery.recovery())));
    Awaitility.await() // until the interrupted handler has returned: its id is busy before
        .atMost(PATIENCE)
        .until(() -> receive(next, "a", "b").stream().allMatch(Outcome.Executed.class::isInstance));
    assertThat(recoveries).containsExactly(true, false);
  }
}
