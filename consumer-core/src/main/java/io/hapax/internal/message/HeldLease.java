package io.hapax.internal.message;

import io.hapax.Delivery;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.runtime.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Tracks the lease of a message's claim, and signals its loss to the handler. */
public final class HeldLease implements Delivery.Lease {

  private final Ticker ticker;
  private volatile long endNanos;
  private volatile boolean fenced;
  private volatile boolean inTransaction;
  private volatile boolean renewalStopped;
  private @Nullable CompletableFuture<Void> signal;
  private boolean lost;

  HeldLease(Ticker ticker) {
    this.ticker = ticker;
  }

  @Override
  public Duration remaining() {
    return renewalStopped
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(0, leftNanos(ticker.nanos())));
  }

  public boolean lasts(Duration margin) {
    return leftNanos(ticker.nanos()) >= margin.toNanos();
  }

  public long leftNanos(long nowNanos) {
    return endNanos - nowNanos;
  }

  public void until(long newEndNanos) {
    endNanos = newEndNanos;
  }

  /** Records that another owner has the claim; returns false if that was known. */
  public synchronized boolean fence() {
    boolean first = !fenced;
    fenced = true;
    return first;
  }

  /** Sets whether the row lock of an open transaction protects the claim. */
  public void inTransaction(boolean open) {
    inTransaction = open;
  }

  /** Stops its renewal, because its handler is interrupted: for the handler it has ended. */
  public void stopRenewal() {
    renewalStopped = true;
  }

  /** Forgets the interrupt of a call whose transaction did not happen. */
  public void startOver() {
    renewalStopped = false;
  }

  public boolean renewalStopped() {
    return renewalStopped;
  }

  public boolean renewable() {
    return !inTransaction && !fenced && !renewalStopped;
  }

  /** Returns whether it has expired; a claim that a transaction protects does not expire. */
  public boolean ranOut(long nowNanos) {
    return !inTransaction && leftNanos(nowNanos) <= 0;
  }

  @Override
  public synchronized CompletionStage<Void> lost() {
    if (signal == null) {
      signal = new CompletableFuture<>();
      if (lost) {
        signal.complete(null);
      }
    }
    return signal.minimalCompletionStage();
  }

  /** Completes the stage on a caller, because code of the handler may block that thread. */
  public synchronized void signalLoss(Environment env) {
    CompletableFuture<Void> requested = signal;
    if (requested != null && !lost) {
      env.call(() -> requested.complete(null));
    }
    lost = true;
  }
}
