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
import java.util.function.Function;

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

  /** Returns whether a probe must answer before the message may run. */
  boolean needsProbe(InFlightMessage<M> message) {
    return probes.isPresent()
        && message.givenUpFor().isEmpty()
        && message.acquired().filter(it -> it.claim().attempt().inDoubt()).isPresent();
  }

  void probe(InFlightMessage<M> message, Consumer<Answer> then) {
    probes.orElseThrow().ask(message, then);
  }

  /**
   * Runs a started message, or ends it without running; returns the deferral at which its lane
   * stops, if there is one.
   *
   * @param probed the answer of the probe, if it was called
   * @param together starts the other messages of its call and returns all of them
   */
  Optional<Deferred> runOrEnd(
      InFlightMessage<M> message,
      Optional<Answer> probed,
      Function<ClaimedMessage<M>, List<ClaimedMessage<M>>> together) {
    ClaimAnswer answer = message.answer();
    return answer instanceof Acquired acquired
        ? runOrEnd(new ClaimedMessage<>(message, acquired), probed, together)
        : unacquired.finish(message, answer);
  }

  private Optional<Deferred> runOrEnd(
      ClaimedMessage<M> claimed,
      Optional<Answer> probed,
      Function<ClaimedMessage<M>, List<ClaimedMessage<M>>> together) {
    Optional<Decision> decision = ifInDoubt(claimed, probed)
        .or(() -> failures.withoutRunning(claimed))
        .or(() -> Optional.of(new Decision(new Verdict.Release(), Deferrals.TOO_SHORT))
            .filter(tooShort -> !claimed.message().lease.lasts(margin)));
    return decision.isPresent()
        ? failures.settle(claimed.message(), decision.get())
        : step.run(together.apply(claimed));
  }

  /** Returns how to settle the claim if the doubt forbids the message to run. */
  private Optional<Decision> ifInDoubt(ClaimedMessage<M> claimed, Optional<Answer> probed) {
    UnknownOutcomePolicy<M> policy = failures.onUnknownOutcome();
    if (!claimed.attempt().inDoubt() || policy instanceof UnknownOutcomePolicy.Rerun) {
      return Optional.empty();
    }
    if (policy instanceof UnknownOutcomePolicy.Bury) {
      return Optional.of(failures.bury(claimed, Kind.IN_DOUBT, MAYBE, true));
    }
    Answer answer = probed.orElseGet(() -> Answer.unknown("no probe was called"));
    if (answer instanceof Answer.Applied applied) {
      Bytes result = results.kept(claimed.message(), applied.result());
      return Optional.of(new Decision(new Verdict.Done(result), new Outcome.Duplicate(result)));
    }
    return answer instanceof Answer.Unknown unknown
        ? Optional.of(failures.unknown(claimed, MAYBE + ": " + unknown.reason()))
        : Optional.empty();
  }

  /**
   * Starts the messages that run in one call with a started one: those directly behind it in its
   * lane. A message that may make the call fail, or must not run, ends the selection. Returns the
   * first and the selected ones.
   */
  List<ClaimedMessage<M>> together(ClaimedMessage<M> first, List<InFlightMessage<M>> behind) {
    if (!step.takesMany()) {
      return List.of(first);
    }
    List<ClaimedMessage<M>> together = new ArrayList<>(1 + behind.size());
    together.add(first);
    if (unsuspected(first)) {
      for (InFlightMessage<M> message : behind) {
        if (!(message.answer() instanceof Acquired acquired)) {
          break;
        }
        ClaimedMessage<M> next = new ClaimedMessage<>(message, acquired);
        if (!unsuspected(next)
            || failures.barred(next)
            || !message.lease.lasts(margin)
            || !message.start()) {
          break;
        }
        failures.reportAge(next);
        together.add(next);
      }
    }
    return together;
  }

  private static boolean unsuspected(ClaimedMessage<?> claimed) {
    Attempt attempt = claimed.attempt();
    return attempt.number() == 1
        && !attempt.solo()
        && !attempt.inDoubt()
        && attempt.deferredSince() == 0;
  }
}
