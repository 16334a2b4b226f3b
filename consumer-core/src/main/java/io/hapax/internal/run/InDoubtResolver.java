package io.hapax.internal.run;

import io.hapax.DeadLetter.Kind;
import io.hapax.OutcomeProbe.Answer;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.adapter.Outcome;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.runtime.Ticker;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.Results;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Verdict;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Applies the policy for unknown outcomes to a claimed message whose earlier attempt may have taken
 * effect.
 */
public final class InDoubtResolver<M> {

  private static final String MAYBE = "an earlier attempt may have taken effect";

  private final UnknownOutcomePolicy<M> policy;
  private final Optional<Probes<M>> probes;
  private final Failures<M> failures;
  private final Results<M> results;
  private final Tasks<M> tasks;
  private final Ticker ticker;
  private volatile Consumer<InFlightMessage<M>> whenAsked = item -> {};
  private final Map<InFlightMessage<M>, ProbeInvocation<M>> underWay = new ConcurrentHashMap<>();

  public InDoubtResolver(
      UnknownOutcomePolicy<M> policy,
      Optional<Probes<M>> probes,
      Failures<M> failures,
      Results<M> results,
      Tasks<M> tasks,
      Ticker ticker) {
    this.policy = policy;
    this.probes = probes;
    this.failures = failures;
    this.results = results;
    this.tasks = tasks;
    this.ticker = ticker;
  }

  /** Sets the action that runs whenever a probe is called for a message. */
  public void whenAsked(Consumer<InFlightMessage<M>> action) {
    whenAsked = action;
  }

  private static boolean inDoubt(Acquired acquired) {
    return acquired.claim().attempt().inDoubt();
  }

  /** Returns whether a claimed message needs a probe that has not answered yet. */
  boolean open(InFlightMessage<M> item) {
    if (probes.isEmpty() || item.acquired().filter(InDoubtResolver::inDoubt).isEmpty()) {
      return false;
    }
    ProbeInvocation<M> probing = underWay.get(item);
    return item.givenUpFor().isEmpty() && (probing == null || probing.finding().isEmpty());
  }

  /**
   * Calls the probe for a message.
   *
   * @param again runs when the answer is known
   */
  void ask(InFlightMessage<M> item, Runnable again) {
    ProbeInvocation<M> probing =
        new ProbeInvocation<>(probes.orElseThrow(), item, again, tasks, ticker);
    underWay.put(item, probing);
    if (!item.whenFinished(() -> underWay.remove(item))) {
      underWay.remove(item);
    }
    whenAsked.accept(item);
    probing.ask();
  }

  /** Returns how to settle the claim of a message that must not run; empty if it may run. */
  Optional<Failures.Decision> decide(InFlightMessage<M> item, Acquired acquired) {
    if (!inDoubt(acquired) || policy instanceof UnknownOutcomePolicy.Rerun) {
      return Optional.empty();
    }
    if (policy instanceof UnknownOutcomePolicy.Bury) {
      return Optional.of(failures.bury(item, acquired, Kind.IN_DOUBT, MAYBE, true));
    }
    Answer finding = Optional.ofNullable(underWay.get(item))
        .flatMap(ProbeInvocation::finding)
        .orElseGet(() -> Answer.unknown("no probe was called"));
    if (finding instanceof Answer.Applied applied) {
      Bytes result = results.kept(item, applied.result());
      return Optional.of(
          new Failures.Decision(new Verdict.Done(result), new Outcome.Duplicate(result)));
    }
    if (finding instanceof Answer.Unknown unknown) {
      return Optional.of(failures.unknown(item, acquired, MAYBE + ": " + unknown.reason()));
    }
    return Optional.empty();
  }
}
