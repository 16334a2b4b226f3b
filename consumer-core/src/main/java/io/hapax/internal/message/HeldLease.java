package io.hapax.internal.message;

import io.hapax.Delivery;
import io.hapax.internal.runtime.Threads;
import io.hapax.internal.runtime.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What is known of the lease of a message's claim, and who waits for the news that it is lost. */
public final class HeldLease implements Delivery.Lease {

  private final Ticker ticker;
  private volatile long endNanos;
  private volatile boolean fenced;
  private volatile boolean inTransaction;
  private volatile boolean forsaken;
  private @Nullable CompletableFuture<Void> signal;
  private boolean lost;

  HeldLease(Ticker ticker) {
    this.ticker = ticker;
  }

  @Override
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, leftNanos(ticker.nanos())));
  }

  /** Returns whether at least the margin is left. */
  public boolean lasts(Duration margin) {
    return leftNanos(ticker.nanos()) >= margin.toNanos();
  }

  public long leftNanos(long nowNanos) {
    return endNanos - nowNanos;
  }

  public void until(long newEndNanos) {
    endNanos = newEndNanos;
  }

  /** Remembers that the claim is another's now; true if that is news. */
  public synchronized boolean fence() {
    boolean news = !fenced;
    fenced = true;
    return news;
  }

  /** An open transaction's row lock protects it, or does so no more. */
  public void inTransaction(boolean open) {
    inTransaction = open;
  }

  /** Lets it run out, because its handler does not end. */
  public void forsake() {
    forsaken = true;
  }

  /** Returns whether the handling limit has passed. */
  public boolean forsaken() {
    return forsaken;
  }

  /** Whether it is the keeper's business. */
  public boolean renewable() {
    return !inTransaction && !fenced && !forsaken;
  }

  /** Whether it is over without having been renewed; what a transaction protects is not. */
  public boolean ranOut(long nowNanos) {
    return !inTransaction && leftNanos(nowNanos) <= 0;
  }

  /** Completed once it is known to be lost. */
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

  /** Tells who waits for it, on a thread that they may hold up. */
  public synchronized void tellLost(Threads threads) {
    CompletableFuture<Void> asked = signal;
    if (asked != null && !lost) {
      threads.call(() -> asked.complete(null));
    }
    lost = true;
  }
}
