package io.hapax.internal.run;

import io.hapax.OutcomeProbe.Answer;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.Settler;
import io.hapax.internal.settle.UnacquiredClaims;
import io.hapax.internal.settle.UnmarkedMessages;
import io.hapax.mark.Attempt;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs a message whose turn has come, if it may run, and finishes one that may not. */
public record MessageStart<M>(
    InDoubtResolver<M> inDoubt,
    Failures<M> failures,
    UnmarkedMessages<M> unmarked,
    UnacquiredClaims<M> unacquired,
    Settler<M> settler,
    Duration margin) {

  /**
   * Runs a started message, or ends it without running; returns the deferral at which its lane
   * stops, if there is one.
   *
   * @param probed the answer of the probe, if it was called
   * @param run what runs the message
   */
  Optional<Deferred> runOrEnd(
      InFlightMessage<M> message, Optional<Answer> probed, Supplier<Optional<Deferred>> run) {
    if (!message.markable) {
      return unmarked.finish(message);
    }
    ClaimAnswer answer = message.answer();
    return answer instanceof Acquired acquired
        ? acquired(message, acquired, probed, run)
        : unacquired.finish(message, answer);
  }

  private Optional<Deferred> acquired(
      InFlightMessage<M> message,
      Acquired acquired,
      Optional<Answer> probed,
      Supplier<Optional<Deferred>> run) {
    Optional<Failures.Decision> decision = inDoubt.decide(message, acquired, probed);
    if (decision.isEmpty()) {
      decision = failures.withoutRunning(message, acquired);
    }
    if (decision.isPresent()) {
      return failures.settle(message, decision.get());
    }
    if (!message.lease.lasts(margin)) {
      settler.settle(message, new Verdict.Release(), Deferrals.TOO_SHORT);
      return Optional.of(Deferrals.TOO_SHORT);
    }
    return run.get();
  }

  /**
   * Starts the messages that run in one call with a started one: those directly behind it in its
   * lane. A message that may make the call fail, or must not run, ends the selection. Returns the
   * first and the selected ones.
   */
  List<ClaimedMessage<M>> together(ClaimedMessage<M> first, List<InFlightMessage<M>> behind) {
    List<ClaimedMessage<M>> together = new ArrayList<>(1 + behind.size());
    together.add(first);
    if (unsuspected(first.acquired())) {
      for (InFlightMessage<M> message : behind) {
        if (!(message.answer() instanceof Acquired acquired)
            || !unsuspected(acquired)
            || failures.barred(message, acquired)
            || !message.lease.lasts(margin)
            || !message.start()) {
          break;
        }
        failures.reportAge(message, acquired);
        together.add(new ClaimedMessage<>(message, acquired));
      }
    }
    return together;
  }

  private static boolean unsuspected(Acquired acquired) {
    Attempt attempt = acquired.claim().attempt();
    return attempt.number() == 1
        && !attempt.solo()
        && !attempt.inDoubt()
        && attempt.deferredSince() == 0;
  }
}
