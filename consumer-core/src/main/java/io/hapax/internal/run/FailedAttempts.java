package io.hapax.internal.run;

import io.hapax.DeadLetter.Kind;
import io.hapax.internal.Engine;
import io.hapax.internal.handler.FailedCall;
import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.store.Replies;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.Optional;

/**
 * Writes down that an attempt failed whose transaction was rolled back, with a claim of its own:
 * the rolled back one left no trace.
 */
final class FailedAttempts<M> {

  private final Engine<M> engine;
  private final DedupStore store;

  FailedAttempts(Engine<M> engine, DedupStore store) {
    this.engine = engine;
    this.store = store;
  }

  /**
   * Claims the message, settles the claim as the failure demands, and finishes the message.
   *
   * @param failure what the handler threw; empty if the message was barred from its transaction
   */
  void write(InFlightMessage<M> item, Optional<Throwable> failure) {
    try {
      ClaimAnswer answer = engine.claimer().claimNow(item);
      if (answer instanceof Acquired acquired) {
        settle(item, acquired, failure);
      } else {
        engine.standing().finish(item, answer);
      }
    } catch (RuntimeException trouble) {
      engine.events().storeFailed("claim or settle", trouble);
      engine.outcomes().finish(item, Deferrals.storeUnavailable(trouble));
    }
  }

  private void settle(InFlightMessage<M> item, Acquired acquired, Optional<Throwable> failure) {
    Failures.Decision decision = decision(item, acquired, failure);
    Settlement settlement = new Settlement(acquired.claim(), decision.verdict());
    SettleAnswer settled =
        Replies.complete("settle", 1, store.settle(List.of(settlement))).get(0);
    if (settled instanceof SettleAnswer.Settled it) {
      engine.events().settled(it, acquired.claim());
      engine.lastSettled().now();
    }
    boolean stands =
        settled instanceof SettleAnswer.Settled || !decision.outcome().mayAcknowledge();
    engine.outcomes().finish(item, stands ? decision.outcome() : Deferrals.FENCED);
  }

  /** What was barred from its transaction and is so no more comes again. */
  private Failures.Decision decision(
      InFlightMessage<M> item, Acquired acquired, Optional<Throwable> failure) {
    Failures<M> failures = engine.failures();
    if (failure.isPresent() && failures.exhausted(acquired)) {
      String detail = Descriptions.of(failure.get());
      return failures.bury(item, acquired, Kind.ATTEMPTS_EXHAUSTED, detail, false);
    }
    return failure
        .map(it -> failures.decide(item, acquired, FailedCall.rolledBack(it)))
        .or(() -> failures.withoutRunning(item, acquired))
        .orElseGet(() -> new Failures.Decision(new Verdict.Release(), BlockedLanes.SHORTLY));
  }
}
