package io.hapax.internal.claim;

import io.hapax.LeaseSettings;
import io.hapax.health.Problem;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Submissions;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.store.CheckedStore;
import io.hapax.mark.Claim;
import io.hapax.mark.RenewAnswer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Renews all claims of the receiver that are not settled yet, in one call. Once the receiver has
 * failed, it gives the messages up instead, so that their ids are free for others of this process.
 */
public final class LeaseRenewer<M> {

  private final CheckedStore store;
  private final LeaseSettings settings;
  private final Environment env;
  private final Events events;
  private final Submissions<M> submissions;

  private final AtomicBoolean underWay = new AtomicBoolean();

  /** The start of the latest renewal that ended without an error. */
  private volatile long renewedAt;

  public LeaseRenewer(
      CheckedStore store,
      LeaseSettings settings,
      Environment env,
      Events events,
      Submissions<M> submissions) {
    this.store = store;
    this.settings = settings;
    this.env = env;
    this.events = events;
    this.submissions = submissions;
  }

  public void start() {
    renewedAt = env.nanos();
    long half = Math.max(1, settings.renewInterval().toNanos() / 2);
    var unused = env.timer()
        .scheduleWithFixedDelay(() -> env.run(this::tick), half, half, TimeUnit.NANOSECONDS);
  }

  private void tick() {
    if (env.failStop().stopped()) {
      submissions.open().forEach(ActiveSubmission::leaveToOthers);
      return;
    }
    signalExpiredLeases();
    if (underWay.compareAndSet(false, true)) {
      env.call(this::renew);
    }
    if (!raiseIfLate()) {
      events.clear(Problem.Kind.LEASE_RENEWAL);
    }
  }

  /**
   * Raises the problem, unless the receiver is closed: then nothing is renewed. Health checks also
   * call this method, because the timer may have died.
   */
  public boolean raiseIfLate() {
    if (env.closed()) {
      return false;
    }
    long silent = env.nanos() - renewedAt;
    boolean late = silent > 2 * settings.renewInterval().toNanos();
    if (late) {
      events.raise(
          Problem.Kind.LEASE_RENEWAL,
          "no lease was renewed for " + Duration.ofNanos(silent) + ", the store has not answered");
    }
    return late;
  }

  /** Signals expired leases, on another thread than renewals, which may hang in the store. */
  private void signalExpiredLeases() {
    long now = env.nanos();
    for (InFlightMessage<M> message : submissions.messages()) {
      if (message.isHandling() && message.acquired().isPresent() && message.lease.ranOut(now)) {
        message.lease.signalLoss(env);
      }
    }
  }

  /**
   * Renews the claims that are due. A claim is due if more than the renew interval of its lease
   * would have elapsed at the next tick.
   */
  private void renew() {
    try {
      renewDue(env.nanos());
    } finally {
      underWay.set(false);
    }
  }

  private void renewDue(long now) {
    long dueBelow = settings.lease().toNanos() - settings.renewInterval().toNanos() / 2;
    List<InFlightMessage<M>> due = submissions.messages().stream()
        .filter(message -> message.needsRenewal() && message.lease.leftNanos(now) < dueBelow)
        .toList();
    if (due.isEmpty()) {
      renewedAt = now;
      return;
    }
    List<Claim> claims = due.stream().map(InFlightMessage::claim).toList();
    List<RenewAnswer> answers;
    try {
      answers = store.renew(claims, settings.lease());
    } catch (RuntimeException e) {
      return; // the checked store has reported it, and the next tick retries
    }
    renewedAt = now;
    for (int i = 0; i < due.size(); i++) {
      take(due.get(i), claims.get(i), answers.get(i), now);
    }
  }

  private void take(InFlightMessage<M> message, Claim claim, RenewAnswer answer, long sentNanos) {
    var unused = answer.match(
        renewed -> {
          message.lease.until(sentNanos + settings.lease().toNanos());
          if (renewed.markLost()) {
            events.markLost(claim);
          }
          return true;
        },
        fenced -> {
          if (message.needsRenewal() && !message.isSettling() && message.lease.fence()) {
            message.lease.until(sentNanos);
            message.lease.signalLoss(env);
            events.fenced(claim);
          }
          return true;
        },
        unavailable -> false);
  }
}
