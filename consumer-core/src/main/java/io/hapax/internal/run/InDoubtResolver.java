package io.hapax.internal.run;

import io.hapax.DeadLetter.Kind;
import io.hapax.OutcomeProbe.Answer;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.adapter.Outcome;
import io.hapax.internal.Engine;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.settle.Failures;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Verdict;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What becomes of a claimed message whose earlier attempt may have taken effect: here the stale
 * policy speaks.
 */
public final class InDoubtResolver<M> {

  private static final String MAYBE = "an earlier attempt may have taken effect";

  private final Engine<M> engine;
  private final UnknownOutcomePolicy<M> policy;
  private final Optional<Probes<M>> probes;
  private final Map<InFlightMessage<M>, ProbeInvocation<M>> underWay = new ConcurrentHashMap<>();

  public InDoubtResolver(Engine<M> engine, EngineSettings.Running<M> settings) {
    this.engine = engine;
    this.policy = settings.onUnknownOutcome();
    this.probes = policy instanceof UnknownOutcomePolicy.Probe<M> probe
        ? Optional.of(new Probes<>(engine, probe, 2 * settings.workers()))
        : Optional.empty();
  }

  private static boolean inDoubt(Acquired acquired) {
    return acquired.claim().attempt().inDoubt();
  }

  /** Whether a message in doubt never runs, whatever else is known of it. */
  public boolean buries() {
    return policy instanceof UnknownOutcomePolicy.Bury;
  }

  /** Whether the downstream is asked about a message in doubt. */
  public boolean probes() {
    return probes.isPresent();
  }

  /** Whether there is a question about a claimed item that is not answered yet. */
  boolean open(InFlightMessage<M> item) {
    if (probes.isEmpty() || item.acquired().filter(InDoubtResolver::inDoubt).isEmpty()) {
      return false;
    }
    ProbeInvocation<M> probing = underWay.get(item);
    return item.givenUpFor().isEmpty() && (probing == null || probing.finding().isEmpty());
  }

  /**
   * Asks about an item.
   *
   * @param again run when the answer is known
   */
  void ask(InFlightMessage<M> item, Runnable again) {
    ProbeInvocation<M> probing = new ProbeInvocation<>(
        engine, probes.orElseThrow(), item, item.acquired().orElseThrow(), again);
    underWay.put(item, probing);
    if (!item.whenFinished(() -> underWay.remove(item))) {
      underWay.remove(item);
    }
    engine.window().makeRoomFor(item);
    probing.ask();
  }

  /** How the claim is to be settled without running the handler; empty if that may run. */
  Optional<Failures.Decision> decide(InFlightMessage<M> item, Acquired acquired) {
    if (!inDoubt(acquired) || policy instanceof UnknownOutcomePolicy.Rerun) {
      return Optional.empty();
    }
    if (buries()) {
      return Optional.of(engine.failures().bury(item, acquired, Kind.IN_DOUBT, MAYBE, true));
    }
    Answer finding = Optional.ofNullable(underWay.get(item))
        .flatMap(ProbeInvocation::finding)
        .orElseGet(() -> Answer.unknown("nobody was asked"));
    if (finding instanceof Answer.Applied applied) {
      Bytes result = engine.results().kept(item, applied.result());
      return Optional.of(
          new Failures.Decision(new Verdict.Done(result), new Outcome.Duplicate(result)));
    }
    if (finding instanceof Answer.Unknown unknown) {
      return Optional.of(
          engine.failures().unknown(item, acquired, MAYBE + ": " + unknown.reason()));
    }
    return Optional.empty();
  }
}
