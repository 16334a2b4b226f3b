package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.internal.Engine;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Transactional mode: submissions of which a part is on probation, and is claimed first. */
class MixedSubmissionTest extends TransactionFixture {

  private final CountedCallers callers = new CountedCallers();
  private final AtomicInteger claims = new AtomicInteger();
  private final CountDownLatch releaseFirst = new CountDownLatch(1);
  private final CountDownLatch releaseOthers = new CountDownLatch(1);
  private volatile boolean holds;

  private final Engine<String> engine = opened(machine(callers)
      .transactional(
          engineSettings(LeaseSettings.DEFAULT),
          transactions((verb, items, call) -> {
            if (verb.equals("claim") && holds) {
              (claims.incrementAndGet() == 1 ? releaseFirst : releaseOthers).await();
            }
            return call.go();
          }),
          (transaction, deliveries) -> deliveries.forEach(this::record)));

  @AfterEach
  void letGo() {
    releaseFirst.countDown();
    releaseOthers.countDown();
  }

  private static List<Incoming<String>> onProbation(String message) {
    return List.of(new Incoming<>(message, message, message + "@0", true));
  }

  private void submit(List<Incoming<String>> messages) {
    engine.submit(messages, IGNORED);
  }

  private void awaitClaims(int count) {
    eventually(() -> claims.get() == count);
  }

  @Test
  void a_batch_does_not_wait_for_the_claims_of_other_submissions() throws Exception {
    engine.receive(onProbation("before"), PATIENCE);
    holds = true;
    submit(both(onProbation("claimed"), lane("p0", "unclaimed")));
    awaitClaims(1);
    submit(onProbation("second"));
    awaitClaims(2);
    submit(onProbation("third"));
    eventually(() -> callers.underway() == 2);

    releaseFirst.countDown();

    awaitClaims(3);
    eventually(() -> effects.contains("unclaimed"));
    assertThat(effects).doesNotContain("second", "third");
  }
}
