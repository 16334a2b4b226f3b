package io.hapax.internal.settle;

import io.hapax.adapter.Incoming;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.report.Events;
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

  public boolean refuses(ClaimedMessage<M> claimed) {
    return policy == TooOldPolicy.DEAD_LETTER && tooOld(claimed);
  }

  /** Reports a message that is older than the dedup window, whether it runs or not. */
  public void report(ClaimedMessage<M> claimed) {
    if (tooOld(claimed)) {
      events.tooOld(claimed.message().requiredKey(), of(claimed), policy);
    }
  }

  String detail(ClaimedMessage<M> claimed) {
    return "sent " + of(claimed) + " ago, but completed messages are remembered for " + retention;
  }

  /** Returns the age at the end of the lease, by the store's clock: until then it may run. */
  private static Duration of(ClaimedMessage<?> claimed) {
    return Duration.ofMillis(claimed.acquired().leaseUntil().toEpochMilli()
        - claimed.message().incoming.timestampMillis());
  }

  /** Excludes retries, because their mark exists since the message was young enough. */
  private boolean tooOld(ClaimedMessage<M> claimed) {
    long sent = claimed.message().incoming.timestampMillis();
    return sent != Incoming.NO_TIMESTAMP
        && claimed.acquired().leaseUntil().toEpochMilli() - sent > retentionMillis
        && (claimed.attempt().number() == 1 || claimed.acquired().kind() == Kind.TAKEOVER);
  }
}
