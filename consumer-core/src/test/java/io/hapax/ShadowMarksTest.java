package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.errors.NotAppliedException;
import io.hapax.mark.Attempt;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Shadow mode: which marks its runs leave behind, and when. */
class ShadowMarksTest extends FaultFixture {

  private static final Executor THREADS = task -> {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  };

  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void endHandlers() {
    end.countDown();
  }

  private IdempotentReceiver<String> shadow(MessageHandler<String> handler) {
    return open(builder().workers(2).shadow().leased(marks, handler));
  }

  /** Handles messages called slow until the test ends. */
  private void handle(Delivery<String> delivery) throws InterruptedException {
    if (delivery.message().startsWith("slow")) {
      end.await();
    }
  }

  private static List<Outcome> handled(IdempotentReceiver<String> receiver, String message) {
    try {
      return receiver.receiveOnCallerThread(lane(message, message), PATIENCE);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitClaims(String... ids) {
    eventually(() -> Stream.of(ids).allMatch(id -> state(id).isPresent()));
  }

  @Test
  void a_slow_lane_delays_no_mark_of_another_lane() {
    LaneGroup<String> lanes = shadow(this::handle).port().openLanes();
    lanes.submit(lane("p0", "slow1"), IGNORED);
    lanes.submit(lane("p0", "slow2"), IGNORED);
    awaitClaims("slow1", "slow2");

    lanes.submit(lane("p1", "fast"), IGNORED);

    awaitState("fast", MarkState.DONE);
    assertThat(mark("slow1").state()).isEqualTo(MarkState.PROCESSING);
  }

  @Test
  void slow_handlers_on_callers_threads_delay_no_mark() throws Exception {
    IdempotentReceiver<String> receiver = shadow(this::handle);
    for (String slow : List.of("slow1", "slow2")) {
      var unused = CompletableFuture.supplyAsync(() -> handled(receiver, slow), THREADS);
    }
    awaitClaims("slow1", "slow2");

    receiver.receiveOnCallerThread(lane("p1", "fast"), PATIENCE);

    awaitState("fast", MarkState.DONE);
  }

  @Test
  void a_handler_that_outlives_close_keeps_its_claim() {
    IdempotentReceiver<String> receiver = shadow(delivery -> awaitUninterruptibly(end));
    receiver.submit(lane("p0", "a"), IGNORED);
    awaitClaims("a");

    receiver.close(Duration.ofMillis(50));

    assertThat(mark("a").state()).isEqualTo(MarkState.PROCESSING);
  }

  /** Delivers a message to a receiver in shadow mode whose handler throws. */
  private void fail(int deliveries, RetrySettings retry, Exception error) throws Exception {
    IdempotentReceiver<String> receiver =
        open(builder().retry(retry).shadow().leased(marks, delivery -> {
          throw error;
        }));
    for (int i = 1; i <= deliveries; i++) {
      int failed = i;
      receive(receiver, "a");
      eventually(() -> report(receiver).failed() == failed);
    }
    receiver.close();
  }

  @Test
  void a_run_after_one_that_failed_in_shadow_mode_is_a_recovery() throws Exception {
    fail(1, RetrySettings.DEFAULT, new IllegalStateException("after the effect"));
    List<Boolean> recoveries = new CopyOnWriteArrayList<>();

    open(builder().leased(marks, delivery -> recoveries.add(delivery.recovery())))
        .receive(lane("p0", "a"), PATIENCE);

    assertThat(recoveries).containsExactly(true);
  }

  @Test
  void runs_that_may_have_had_an_effect_use_one_attempt_together() throws Exception {
    fail(5, RetrySettings.DEFAULT, new IllegalStateException("after the effect"));

    assertThat(mark("a").claim().attempt())
        .returns(true, Attempt::inDoubt)
        .returns(1, Attempt::number);
  }

  @Test
  void a_run_without_an_effect_leaves_no_doubt() throws Exception {
    fail(1, RetrySettings.DEFAULT, new NotAppliedException("before the effect"));

    assertThat(mark("a").claim().attempt())
        .returns(false, Attempt::inDoubt)
        .returns(0, Attempt::number);
  }

  @Test
  void the_only_attempt_is_not_used_up_in_shadow_mode() throws Exception {
    RetrySettings once = new RetrySettings(1, Duration.ofMillis(1), Duration.ofMillis(1));
    fail(1, once, new IllegalStateException("after the effect"));

    open(builder().retry(once).leased(marks, delivery -> effects.add("a")))
        .receive(lane("p0", "a"), PATIENCE);

    assertThat(effects).containsExactly("a");
  }

  @Test
  void messages_behind_a_failed_one_are_released_and_no_failures() throws Exception {
    IdempotentReceiver<String> receiver = shadow(delivery -> {
      throw new IllegalStateException("no");
    });
    receive(receiver, "a", "b", "c");
    receiver.close();

    assertThat(report(receiver).failed()).isOne();
    assertThat(mark("c"))
        .returns(MarkState.RETRY, Mark::state)
        .returns(false, mark -> mark.claim().attempt().inDoubt());
  }

  @Test
  void marks_of_a_dead_consumer_are_taken_over() throws Exception {
    LeaseSettings brief =
        new LeaseSettings(Duration.ofMillis(100), Duration.ofMillis(30), Duration.ofMillis(10));
    IdempotentReceiver<String> dead = open(builder()
        .drainTimeout(Duration.ZERO)
        .lease(brief)
        .shadow()
        .leased(marks, delivery -> awaitUninterruptibly(end)));
    dead.submit(lane("p0", "a"), IGNORED);
    awaitClaims("a");
    dead.close();
    end.countDown();
    clock.advance(Duration.ofSeconds(1));

    shadow(delivery -> effects.add("a")).receive(lane("p0", "a"), PATIENCE);

    awaitState("a", MarkState.DONE);
    assertThat(effects).containsExactly("a");
  }
}
