package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.adapter.Submission;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a handler that runs is protected from, and what waits for it. */
class RunningHandlerTest extends LeasedFixture {

  @Test
  @DisplayName("invariant 12: the same id never runs twice at once, even if its lease is lost")
  void a_second_delivery_waits_for_the_running_first_even_after_its_lease() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger atOnce = new AtomicInteger();
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      assertThat(atOnce.incrementAndGet()).isEqualTo(1);
      running.countDown();
      go.await();
      effects.add(delivery.message());
      atOnce.decrementAndGet();
    });
    Submission first = receiver.submit(lane("p0", "a"), (index, outcome) -> {});
    running.await();
    clock.advance(Duration.ofHours(1));
    List<Outcome> second = new CopyOnWriteArrayList<>();
    Submission again = receiver.submit(lane("p1", "a"), (index, outcome) -> second.add(outcome));

    assertThat(again.await(Duration.ofMillis(100))).isFalse();
    go.countDown();

    assertThat(first.await(LONG_PATIENCE)).isTrue();
    assertThat(again.await(LONG_PATIENCE)).isTrue();
    assertThat(second).containsExactly(new Outcome.Duplicate());
    assertThat(effects).containsExactly("a");
  }

  @Test
  @DisplayName("invariant 5: an owner that was replaced is fenced and acknowledges nothing")
  void a_late_owner_does_not_acknowledge() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      running.countDown();
      go.await();
    });
    List<Outcome> outcomes = new CopyOnWriteArrayList<>();
    Submission submission =
        receiver.submit(lane("p0", "a"), (index, outcome) -> outcomes.add(outcome));
    running.await();
    clock.advance(Duration.ofHours(1));
    claimedElsewhere("a", true, Duration.ofMinutes(5));
    go.countDown();

    assertThat(submission.await(LONG_PATIENCE)).isTrue();
    assertThat(((Deferred) outcomes.get(0)).reason()).isEqualTo(Reason.LEASE_LOST);
    assertThat(mark("a").claim().origin().owner()).isEqualTo("elsewhere");
  }

  @Test
  void a_long_handler_keeps_its_lease_alive() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(1);
    IdempotentReceiver<String> receiver =
        open(builder().lease(FaultFixture.STEADY).leased(store, delivery -> {
          running.countDown();
          go.await();
        }));
    Submission submission = receiver.submit(lane("p0", "a"), (index, outcome) -> {});
    running.await();
    Instant first = mark("a").until();

    Awaitility.await()
        .atMost(LONG_PATIENCE)
        .until(() -> mark("a").until().isAfter(first.plusMillis(300)));

    go.countDown();
    assertThat(submission.await(LONG_PATIENCE)).isTrue();
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void an_abandoned_submission_finishes_what_runs_and_releases_the_rest() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      running.countDown();
      go.await();
      effects.add(delivery.message());
    });
    CountDownLatch released = new CountDownLatch(1);
    List<Outcome> outcomes = new CopyOnWriteArrayList<>();
    Submission submission = receiver.submit(lane("p0", "a", "b"), (index, outcome) -> {
      outcomes.add(outcome);
      released.countDown();
    });
    running.await();

    submission.abandon();

    assertThat(released.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(mark("b").state()).isEqualTo(MarkState.RETRY);
    go.countDown();
    assertThat(submission.await(LONG_PATIENCE)).isTrue();
    assertThat(effects).containsExactly("a");
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Executed.class);
  }
}
