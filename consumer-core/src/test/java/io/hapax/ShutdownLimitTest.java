package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Submission;
import io.hapax.store.DedupStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An adapter and its receiver, closed one after the other, share one limit. */
class ShutdownLimitTest extends FaultFixture {

  private static final Duration DRAIN = Duration.ofSeconds(4);
  private static final Duration AT_ONCE = Duration.ofSeconds(3);

  private final Gate hanging = new Gate();

  @AfterEach
  void goOn() {
    hanging.open();
  }

  /** As an adapter does that is closed, and then its receiver. */
  private static Duration closingAfter(Submission submission, IdempotentReceiver<String> receiver)
      throws InterruptedException {
    submission.abandon();
    assertThat(submission.await(DRAIN)).isFalse();
    long begin = System.nanoTime();
    receiver.close();
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  @Test
  void a_handler_that_hangs_is_waited_for_once() throws Exception {
    IdempotentReceiver<String> receiver = open(
        builder().drainTimeout(DRAIN).leased(marks, delivery -> hanging.passUninterruptibly()));
    Submission submission = receiver.submit(lane("p0", "a"), IGNORED);
    hanging.awaitReached();

    assertThat(closingAfter(submission, receiver)).isLessThan(AT_ONCE);
  }

  @Test
  void a_store_that_hangs_is_waited_for_once() throws Exception {
    DedupStore store = faulty(before("claim", items -> hanging.passUninterruptibly()));
    IdempotentReceiver<String> receiver =
        ready(open(builder().drainTimeout(DRAIN).leased(store, delivery -> {})));
    Submission submission = receiver.submit(lane("p0", "a"), IGNORED);
    hanging.awaitReached();

    assertThat(closingAfter(submission, receiver)).isLessThan(AT_ONCE);
  }
}
