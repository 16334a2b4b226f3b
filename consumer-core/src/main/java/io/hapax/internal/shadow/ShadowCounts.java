package io.hapax.internal.shadow;

import io.hapax.ReceiverListener;
import io.hapax.ShadowReport;
import io.hapax.adapter.Outcome;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** Counts what the observing engine decides about messages. Thread-safe. */
final class ShadowCounts implements ReceiverListener {

  final LongAdder withoutIdentity = new LongAdder();

  /** Also messages that were not shown to the store. */
  final LongAdder unjudged = new LongAdder();

  private final InstantSource clock;
  private final LongAdder marked = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder busy = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final LongAdder dead = new LongAdder();

  private final LongAdder duplicates = new LongAdder();

  /** Duplicates whose marks were DONE when they arrived. */
  private final LongAdder done = new LongAdder();

  private final LongAccumulator neededNanos = new LongAccumulator(Math::max, 0);

  ShadowCounts(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns the counter of messages to which the observing engine gave such an outcome. */
  LongAdder of(Outcome outcome) {
    if (outcome instanceof Outcome.Executed) {
      return marked;
    } else if (outcome instanceof Outcome.Duplicate) {
      return duplicates;
    } else if (outcome instanceof Outcome.Dropped) {
      return conflicts;
    }
    return outcome instanceof Outcome.Deferred deferred
        ? switch (deferred.reason()) {
          case RETRY, DEFERRED -> failed;
          case BUSY -> busy;
          default -> unjudged;
        }
        : dead;
  }

  @Override
  public void onDuplicate(MessageKey key, Instant doneAt) {
    done.increment();
    neededNanos.accumulate(Duration.between(doneAt, clock.instant()).toNanos());
  }

  /** A duplicate whose mark was not DONE when it arrived has waited for the first copy. */
  ShadowReport report() {
    long known = done.sum();
    long copies = Math.max(0, duplicates.sum() - known);
    return new ShadowReport(
        marked.sum(),
        failed.sum(),
        known + dead.sum(),
        busy.sum() + copies,
        conflicts.sum(),
        withoutIdentity.sum(),
        unjudged.sum(),
        Duration.ofNanos(neededNanos.get()));
  }
}
