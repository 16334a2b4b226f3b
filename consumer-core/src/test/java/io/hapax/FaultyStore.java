package io.hapax;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.DedupStore;
import io.hapax.store.ForwardingDedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A store behind a network that breaks on demand: before a call reaches it, or after, so that the
 * reply is lost.
 */
final class FaultyStore extends ForwardingDedupStore {

  final AtomicInteger callsToLose = new AtomicInteger();
  final AtomicInteger repliesToLose = new AtomicInteger();
  final AtomicInteger claimCalls = new AtomicInteger();

  FaultyStore(DedupStore store) {
    super(store);
  }

  private <A> A through(Supplier<A> call) {
    if (callsToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new StoreException("the call was lost");
    }
    A reply = call.get();
    if (repliesToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new StoreException("the reply was lost");
    }
    return reply;
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    claimCalls.incrementAndGet();
    return through(() -> super.claim(requests, lease));
  }

  @Override
  public Instant now(MessageKey key) {
    return through(() -> super.now(key));
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return through(() -> super.renew(claims, lease));
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    return through(() -> super.settle(settlements));
  }
}
