package io.hapax.internal.claim;

import io.hapax.LeaseSettings;
import io.hapax.internal.Engine;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.store.Replies;
import io.hapax.mark.Claim;
import io.hapax.mark.RenewAnswer;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Renews, in one call, every claim of the receiver that is held and not settled yet. */
public final class LeaseRenewer<M> {

  private final Engine<M> engine;
  private final DedupStore store;
  private final LeaseSettings settings;
  private static final String PROBLEM = "lease renewal";

  private final AtomicBoolean underWay = new AtomicBoolean();

  /** When the last pass over the claims ended without an error. */
  private volatile long renewedAt;

  private volatile boolean broken;

  public LeaseRenewer(Engine<M> engine, DedupStore store, LeaseSettings settings) {
    this.engine = engine;
    this.store = store;
    this.settings = settings;
  }

  public void start() {
    renewedAt = engine.nanos();
    long half = Math.max(1, settings.renewInterval().toNanos() / 2);
    var unused = engine
        .threads()
        .timer()
        .scheduleWithFixedDelay(this::tick, half, half, TimeUnit.NANOSECONDS);
  }

  /** Never throws: the schedule would end, and with it all renewals. */
  private void tick() {
    try {
      tellOfLeasesThatAreOver();
      renewElsewhere();
    } catch (RuntimeException | Error e) {
      broken = true; // without an allocation: memory may be used up
    }
    try {
      report();
    } catch (RuntimeException | Error e) {
      broken = true; // reported at a later tick
    }
  }

  private void renewElsewhere() {
    if (underWay.compareAndSet(false, true)) {
      boolean handedOver = false;
      try {
        engine.threads().call(this::renew);
        handedOver = true;
      } finally {
        if (!handedOver) {
          underWay.set(false);
        }
      }
    }
  }

  /** Raises a problem while renewals fail by an error or come to no end, and clears it. */
  private void report() {
    if (!raiseIfLate()) {
      engine.events().clear(PROBLEM);
    }
    broken = false;
  }

  /** Raises the problem, also if the timer has died: health calls this, too. */
  public boolean raiseIfLate() {
    long silent = engine.nanos() - renewedAt;
    boolean late = silent > 2 * settings.renewInterval().toNanos();
    if (late || broken) {
      engine
          .events()
          .raise(
              PROBLEM,
              "no lease was renewed for " + Duration.ofNanos(silent)
                  + (broken
                      ? ", because of an error as of used up memory"
                      : ", the store has not answered"));
    }
    return late || broken;
  }

  /** Not with the renewals: a store that is away is why a lease ends, and may hold those up. */
  private void tellOfLeasesThatAreOver() {
    long now = engine.nanos();
    for (InFlightMessage<M> item : engine.activeItems()) {
      if (item.isHandling() && item.acquired().isPresent() && item.lease.ranOut(now)) {
        item.lease.tellLost(engine.threads());
      }
    }
  }

  /**
   * A claim is due when, at the next tick, more than the renew interval of its lease would be used
   * up.
   */
  private void renew() {
    try {
      renewDue(engine.nanos());
    } catch (RuntimeException | Error e) {
      broken = true;
    } finally {
      underWay.set(false);
    }
  }

  private void renewDue(long now) {
    try {
      long dueBelow = settings.lease().toNanos() - settings.renewInterval().toNanos() / 2;
      List<InFlightMessage<M>> due = engine.activeItems().stream()
          .filter(item -> item.needsRenewal() && item.lease.leftNanos(now) < dueBelow)
          .toList();
      if (due.isEmpty()) {
        renewedAt = now;
        return;
      }
      List<Claim> claims = due.stream().map(InFlightMessage::claim).toList();
      List<RenewAnswer> answers =
          Replies.complete("renew", claims.size(), store.renew(claims, settings.lease()));
      engine.events().storeAnswered();
      renewedAt = now;
      boolean kept = answers.stream().anyMatch(RenewAnswer.Renewed.class::isInstance);
      engine.outage().answered(answers, RenewAnswer.Unavailable.class, kept, now);
      for (int i = 0; i < due.size(); i++) {
        take(due.get(i), claims.get(i), answers.get(i), now);
      }
    } catch (RuntimeException | Error e) {
      engine.events().storeFailed("renew", e);
      engine.outage().failed(now);
    }
  }

  private void take(InFlightMessage<M> item, Claim claim, RenewAnswer answer, long sentNanos) {
    var unused = answer.match(
        renewed -> {
          item.lease.until(sentNanos + settings.lease().toNanos());
          if (renewed.markLost()) {
            engine.events().markLost(claim);
          }
          return true;
        },
        fenced -> {
          if (item.needsRenewal() && !item.isSettling() && item.lease.fence()) {
            item.lease.until(sentNanos);
            item.lease.tellLost(engine.threads());
            engine.events().fenced(item.requiredKey(), claim.token());
          }
          return true;
        },
        unavailable -> false);
  }
}
