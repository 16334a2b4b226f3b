package io.hapax.internal.run;

import io.hapax.DeadLetter.Kind;
import io.hapax.OutcomeProbe.Answer;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.adapter.Outcome;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.Results;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Verdict;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Applies the policy for unknown outcomes to a claimed message whose earlier attempt may have taken
 * effect.
 */
public record InDoubtResolver<M>(
    UnknownOutcomePolicy<M> policy,
    Optional<Probes<M>> probes,
    Failures<M> failures,
    Results<M> results) {

  private static final String MAYBE = "an earlier attempt may have taken effect";

  private static boolean inDoubt(Acquired acquired) {
    return acquired.claim().attempt().inDoubt();
  }

  /** Returns whether a probe must answer before the message may run. */
  boolean needsProbe(InFlightMessage<M> message) {
    return probes.isPresent()
        && message.givenUpFor().isEmpty()
        && message.acquired().filter(InDoubtResolver::inDoubt).isPresent();
  }

  void probe(InFlightMessage<M> message, Consumer<Answer> then) {
    probes.orElseThrow().ask(message, then);
  }

  /** Returns how to settle the claim of a message that must not run; empty if it may run. */
  Optional<Failures.Decision> decide(
      InFlightMessage<M> message, Acquired acquired, Optional<Answer> probed) {
    if (!inDoubt(acquired) || policy instanceof UnknownOutcomePolicy.Rerun) {
      return Optional.empty();
    }
    if (policy instanceof UnknownOutcomePolicy.Bury) {
      return Optional.of(failures.bury(message, acquired, Kind.IN_DOUBT, MAYBE, true));
    }
    Answer answer = probed.orElseGet(() -> Answer.unknown("no probe was called"));
    if (answer instanceof Answer.Applied applied) {
      Bytes result = results.kept(message, applied.result());
      return Optional.of(
          new Failures.Decision(new Verdict.Done(result), new Outcome.Duplicate(result)));
    }
    if (answer instanceof Answer.Unknown unknown) {
      return Optional.of(failures.unknown(message, acquired, MAYBE + ": " + unknown.reason()));
    }
    return Optional.empty();
  }
}
