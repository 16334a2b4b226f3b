package io.hapax.internal;

import io.hapax.DeadLetter.Kind;
import io.hapax.Outcome;
import io.hapax.OutcomeProbe.Answer;
import io.hapax.StalePolicy;
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
final class Doubts<M> {

  private static final String MAYBE = "an earlier attempt may have taken effect";

  private final Engine<M> engine;
  private final StalePolicy<M> policy;
  private final Optional<Probes<M>> probes;
  private final Map<Item<M>, Probing<M>> underWay = new ConcurrentHashMap<>();

  Doubts(Engine<M> engine, EngineSettings.Running<M> settings) {
    this.engine = engine;
    this.policy = settings.stalePolicy();
    this.probes = policy instanceof StalePolicy.Probe<M> probe
        ? Optional.of(new Probes<>(engine, probe, 2 * settings.workers()))
        : Optional.empty();
  }

  private static boolean inDoubt(Acquired acquired) {
    return acquired.claim().attempt().inDoubt();
  }

  /** Whether a message in doubt never runs, whatever else is known of it. */
  boolean buries() {
    return policy instanceof StalePolicy.Bury;
  }

  /** Whether the downstream is asked about a message in doubt. */
  boolean probes() {
    return probes.isPresent();
  }

  /** Whether there is a question about a claimed item that is not answered yet. */
  boolean open(Item<M> item) {
    if (probes.isEmpty() || item.acquired().filter(Doubts::inDoubt).isEmpty()) {
      return false;
    }
    Probing<M> probing = underWay.get(item);
    return item.givenUpFor().isEmpty() && (probing == null || probing.finding().isEmpty());
  }

  /**
   * Asks about an item.
   *
   * @param again run when the answer is known
   */
  void ask(Item<M> item, Runnable again) {
    Probing<M> probing =
        new Probing<>(engine, probes.orElseThrow(), item, item.acquired().orElseThrow(), again);
    underWay.put(item, probing);
    if (!item.whenFinished(() -> underWay.remove(item))) {
      underWay.remove(item);
    }
    engine.window().makeRoomFor(item);
    probing.ask();
  }

  /** How the claim is to be settled without running the handler; empty if that may run. */
  Optional<Failures.Decision> decide(Item<M> item, Acquired acquired) {
    if (!inDoubt(acquired) || policy instanceof StalePolicy.Rerun) {
      return Optional.empty();
    }
    if (buries()) {
      return Optional.of(engine.failures().bury(item, acquired, Kind.IN_DOUBT, MAYBE, true));
    }
    Answer finding = Optional.ofNullable(underWay.get(item))
        .flatMap(Probing::finding)
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
