package io.hapax.internal;

import io.hapax.LeaseSettings;
import io.hapax.mark.Claim;
import io.hapax.mark.RenewAnswer;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Renews, in one call, every claim of the receiver that is held and not settled yet. */
final class LeaseKeeper<M> {

  private final Engine<M> engine;
  private final DedupStore store;
  private final LeaseSettings settings;
  private final AtomicBoolean underWay = new AtomicBoolean();

  LeaseKeeper(Engine<M> engine, DedupStore store, LeaseSettings settings) {
    this.engine = engine;
    this.store = store;
    this.settings = settings;
  }

  void start() {
    long half = Math.max(1, settings.renewInterval().toNanos() / 2);
    var unused = engine
        .threads()
        .timer()
        .scheduleWithFixedDelay(this::tick, half, half, TimeUnit.NANOSECONDS);
  }

  private void tick() {
    tellOfLeasesThatAreOver();
    if (underWay.compareAndSet(false, true)) {
      try {
        engine.threads().call(this::renew);
      } catch (Error noThread) { // thrown on, it would end the schedule
        underWay.set(false);
        engine.events().storeFailed("renew", noThread);
      }
    }
  }

  /** Not with the renewals: a store that is away is why a lease ends, and may hold those up. */
  private void tellOfLeasesThatAreOver() {
    long now = engine.nanos();
    for (Item<M> item : engine.activeItems()) {
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
    long now = engine.nanos();
    try {
      long dueBelow = settings.lease().toNanos() - settings.renewInterval().toNanos() / 2;
      List<Item<M>> due = engine.activeItems().stream()
          .filter(item -> item.needsRenewal() && item.lease.leftNanos(now) < dueBelow)
          .toList();
      if (due.isEmpty()) {
        return;
      }
      List<Claim> claims = due.stream().map(Item::claim).toList();
      List<RenewAnswer> answers =
          Replies.complete("renew", claims.size(), store.renew(claims, settings.lease()));
      engine.events().storeAnswered();
      boolean kept = answers.stream().anyMatch(RenewAnswer.Renewed.class::isInstance);
      engine.outage().answered(answers, RenewAnswer.Unavailable.class, kept, now);
      for (int i = 0; i < due.size(); i++) {
        take(due.get(i), claims.get(i), answers.get(i), now);
      }
    } catch (RuntimeException | Error e) {
      engine.events().storeFailed("renew", e);
      engine.outage().failed(now);
    } finally {
      underWay.set(false);
    }
  }

  private void take(Item<M> item, Claim claim, RenewAnswer answer, long sentNanos) {
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
