package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.ReceiverListener;
import io.hapax.adapter.Outcome;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for the outcome of a message. */
final class OutcomeLatch implements ReceiverListener {

  private final CountDownLatch died = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);

  @Override
  public void onOutcome(String coordinates, Outcome outcome) {
    if (outcome instanceof Outcome.DeadLettered) {
      died.countDown();
    } else if (outcome instanceof Outcome.Executed) {
      done.countDown();
    }
  }

  void awaitDeath() throws InterruptedException {
    assertThat(died.await(60, TimeUnit.SECONDS)).as("it is dead-lettered").isTrue();
  }

  void awaitDone() throws InterruptedException {
    assertThat(done.await(60, TimeUnit.SECONDS)).as("it is done").isTrue();
  }
}
