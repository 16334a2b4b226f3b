package io.hapax.internal.settle;

import io.hapax.adapter.Incoming;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.report.Events;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.policy.TooOldPolicy;
import java.time.Duration;

/** Detects messages that are older than the dedup window. */
public final class MessageAges<M> {

  /** A longer retention counts as unlimited. */
  private static final Duration MAX_RETENTION = Duration.ofDays(100_000);

  private final Events events;
  private final TooOldPolicy policy;
  private final Duration retention;
  private final long retentionMillis;

  public MessageAges(Events events, TooOldPolicy policy, Duration retention) {
    this.events = events;
    this.policy = policy;
    this.retention = retention;
    this.retentionMillis =
        retention.compareTo(MAX_RETENTION) < 0 ? retention.toMillis() : Long.MAX_VALUE;
  }

  public boolean refuses(InFlightMessage<M> message, Acquired acquired) {
    return policy == TooOldPolicy.DEAD_LETTER && tooOld(message, acquired);
  }

  /** Reports a message that is older than the dedup window, whether it runs or not. */
  public void report(InFlightMessage<M> message, Acquired acquired) {
    if (tooOld(message, acquired)) {
      events.tooOld(message.requiredKey(), of(message, acquired), policy);
    }
  }

  String detail(InFlightMessage<M> message, Acquired acquired) {
    return "sent " + of(message, acquired) + " ago, but completed messages are remembered for "
        + retention;
  }

  /** Returns the age at the end of the lease, by the store's clock: until then it may run. */
  static Duration of(InFlightMessage<?> message, Acquired acquired) {
    return Duration.ofMillis(
        acquired.leaseUntil().toEpochMilli() - message.incoming.timestampMillis());
  }

  /** Excludes retries, because their mark exists since the message was young enough. */
  private boolean tooOld(InFlightMessage<M> message, Acquired acquired) {
    long sent = message.incoming.timestampMillis();
    return sent != Incoming.NO_TIMESTAMP
        && acquired.leaseUntil().toEpochMilli() - sent > retentionMillis
        && (acquired.claim().attempt().number() == 1 || acquired.kind() == Kind.TAKEOVER);
  }
}
