package io.hapax.internal;

import io.hapax.Delivery;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A lease as a handler sees it. */
record LeaseView(HeldLease lease, Ticker ticker) implements Delivery.Lease {

  @Override
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, lease.leftNanos(ticker.nanos())));
  }

  @Override
  public CompletionStage<Void> lost() {
    return lease.lost();
  }
}
