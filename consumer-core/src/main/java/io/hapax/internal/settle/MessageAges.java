package io.hapax.internal.settle;

import io.hapax.adapter.Incoming;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.report.Events;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.policy.TooOldPolicy;
import java.time.Duration;

/** Knows which messages are older than what the store remembers. */
public final class MessageAges<M> {

  /** Longer than this is not counted in milliseconds. */
  private static final Duration FOR_EVER = Duration.ofDays(100_000);

  private final Events events;
  private final TooOldPolicy policy;
  private final Duration retention;
  private final long retentionMillis;

  public MessageAges(Events events, TooOldPolicy policy, Duration retention) {
    this.events = events;
    this.policy = policy;
    this.retention = retention;
    this.retentionMillis =
        retention.compareTo(FOR_EVER) < 0 ? retention.toMillis() : Long.MAX_VALUE;
  }

  /** Whether the message must not run. */
  public boolean refuses(InFlightMessage<M> item, Acquired acquired) {
    return policy == TooOldPolicy.DEAD_LETTER && tooOld(item, acquired);
  }

  /** Tells of a message that is about to run, or not, if it is too old. */
  public void tell(InFlightMessage<M> item, Acquired acquired) {
    if (tooOld(item, acquired)) {
      events.tooOld(item.requiredKey(), of(item, acquired), policy);
    }
  }

  /** Returns why the message is dead-lettered. */
  String detail(InFlightMessage<M> item, Acquired acquired) {
    return "sent " + of(item, acquired) + " ago, but completed messages are remembered for "
        + retention;
  }

  /** By the store's clock, at the end of the lease: until then it may take effect. */
  static Duration of(InFlightMessage<?> item, Acquired acquired) {
    return Duration.ofMillis(
        acquired.leaseUntil().toEpochMilli() - item.incoming.timestampMillis());
  }

  /** What waits for its next attempt has a mark that has known it since it was young enough. */
  private boolean tooOld(InFlightMessage<M> item, Acquired acquired) {
    long sent = item.incoming.timestampMillis();
    return sent != Incoming.NO_TIMESTAMP
        && acquired.leaseUntil().toEpochMilli() - sent > retentionMillis
        && (acquired.claim().attempt().number() == 1 || acquired.kind() == Kind.TAKEOVER);
  }
}
