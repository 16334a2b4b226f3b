package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.ReceiverListener;
import io.hapax.adapter.Outcome;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Counts the outcomes of messages. */
final class Outcomes implements ReceiverListener {

  private final Semaphore executed = new Semaphore(0);
  private final Semaphore duplicates = new Semaphore(0);

  @Override
  public void onOutcome(String coordinates, Outcome outcome) {
    if (outcome instanceof Outcome.Executed) {
      executed.release();
    } else if (outcome instanceof Outcome.Duplicate) {
      duplicates.release();
    }
  }

  void awaitExecuted(int count) throws InterruptedException {
    await(executed, count);
  }

  void awaitDuplicates(int count) throws InterruptedException {
    await(duplicates, count);
  }

  private static void await(Semaphore messages, int count) throws InterruptedException {
    assertThat(messages.tryAcquire(count, 60, TimeUnit.SECONDS)).isTrue();
  }
}
