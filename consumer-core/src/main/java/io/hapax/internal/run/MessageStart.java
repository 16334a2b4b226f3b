package io.hapax.internal.run;

import io.hapax.DeadLetter.Kind;
import io.hapax.OutcomeProbe.Answer;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.Failures.Decision;
import io.hapax.internal.settle.Results;
import io.hapax.internal.settle.UnacquiredMessages;
import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs a message whose turn has come, if it may run, and finishes one that may not. Applies the
 * policy for unknown outcomes to a message whose earlier attempt may have taken effect.
 */
public record MessageStart<M>(
    Step<M> step,
    Optional<Probes<M>> probes,
    Failures<M> failures,
    Results<M> results,
    UnacquiredMessages<M> unacquired,
    Duration margin) {

  private static final String MAYBE = "an earlier attempt may have taken effect";

  private static boolean inDoubt(Acquired acquired) {
    return acquired.claim().attempt().inDoubt();
  }

  /** Returns whether a probe must answer before the message may run. */
  boolean needsProbe(InFlightMessage<M> message) {
    return probes.isPresent()
        && message.givenUpFor().isEmpty()
        && message.acquired().filter(MessageStart::inDoubt).isPresent();
  }

  void probe(InFlightMessage<M> message, Consumer<Answer> then) {
    probes.orElseThrow().ask(message, then);
  }

  /**
   * Runs a started message, or ends it without running; returns the deferral at which its lane
   * stops, if there is one.
   *
   * @param probed the answer of the probe, if it was called
   * @param together starts the messages of its call and returns them
   */
  Optional<Deferred> runOrEnd(
      InFlightMessage<M> message,
      Optional<Answer> probed,
      Supplier<List<ClaimedMessage<M>>> together) {
    ClaimAnswer answer = message.answer();
    return answer instanceof Acquired acquired
        ? acquired(message, acquired, probed, together)
        : unacquired.finish(message, answer);
  }

  private Optional<Deferred> acquired(
      InFlightMessage<M> message,
      Acquired acquired,
      Optional<Answer> probed,
      Supplier<List<ClaimedMessage<M>>> together) {
    Optional<Decision> decision = ifInDoubt(message, acquired, probed)
        .or(() -> failures.withoutRunning(message, acquired))
        .or(() -> Optional.of(new Decision(new Verdict.Release(), Deferrals.TOO_SHORT))
            .filter(tooShort -> !message.lease.lasts(margin)));
    return decision.isPresent()
        ? failures.settle(message, decision.get())
        : step.run(together.get());
  }

  /** Returns how to settle the claim if the doubt forbids the message to run. */
  private Optional<Decision> ifInDoubt(
      InFlightMessage<M> message, Acquired acquired, Optional<Answer> probed) {
    UnknownOutcomePolicy<M> policy = failures.onUnknownOutcome();
    if (!inDoubt(acquired) || policy instanceof UnknownOutcomePolicy.Rerun) {
      return Optional.empty();
    }
    if (policy instanceof UnknownOutcomePolicy.Bury) {
      return Optional.of(failures.bury(message, acquired, Kind.IN_DOUBT, MAYBE, true));
    }
    Answer answer = probed.orElseGet(() -> Answer.unknown("no probe was called"));
    if (answer instanceof Answer.Applied applied) {
      Bytes result = results.kept(message, applied.result());
      return Optional.of(new Decision(new Verdict.Done(result), new Outcome.Duplicate(result)));
    }
    return answer instanceof Answer.Unknown unknown
        ? Optional.of(failures.unknown(message, acquired, MAYBE + ": " + unknown.reason()))
        : Optional.empty();
  }

  /**
   * Starts the messages that run in one call with a started one: those directly behind it in its
   * lane. A message that may make the call fail, or must not run, ends the selection. Returns the
   * first and the selected ones.
   */
  List<ClaimedMessage<M>> together(InFlightMessage<M> started, List<InFlightMessage<M>> behind) {
    ClaimedMessage<M> first = new ClaimedMessage<>(started, started.acquired().orElseThrow());
    if (!step.takesMany()) {
      return List.of(first);
    }
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
