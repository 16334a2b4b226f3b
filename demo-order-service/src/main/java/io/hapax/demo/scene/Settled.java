package io.hapax.demo.scene;

import io.hapax.ReceiverListener;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Counts the messages that a consumer has completed, each once, however often the broker delivers
 * it. Thread-safe.
 */
public final class Settled implements ReceiverListener {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final Set<String> places = new HashSet<>();
  private final List<String> reasons = new ArrayList<>();
  private boolean busy;

  @Override
  public synchronized void onOutcome(String coordinates, Outcome outcome) {
    if (outcome.mayAcknowledge()) {
      settled(coordinates);
    } else {
      reasons.add(coordinates + ": " + outcome);
      busy |= outcome instanceof Deferred deferred && deferred.reason() == Outcome.Reason.BUSY;
    }
    notifyAll();
  }

  /** Counts a message by the place where the broker keeps it. */
  public synchronized void settled(String place) {
    places.add(place);
    notifyAll();
  }

  public synchronized int count() {
    return places.size();
  }

  /** Waits up to a minute until a number of messages, with duplicates, is completed. */
  public void await(int messages) throws InterruptedException {
    await(
        () -> places.size() >= messages,
        () -> "settled " + places.size() + " of " + messages + " messages");
  }

  /** Waits up to a minute until a message was busy: another process has its lease. */
  public void awaitBusy() throws InterruptedException {
    await(() -> busy, () -> "met no busy message");
  }

  private synchronized void await(BooleanSupplier reached, Supplier<String> state)
      throws InterruptedException {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!reached.getAsBoolean()) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        throw new IllegalStateException(
            state.get() + " within " + TIMEOUT.toSeconds() + " s; deferred: " + reasons);
      }
      wait(left);
    }
  }
}
