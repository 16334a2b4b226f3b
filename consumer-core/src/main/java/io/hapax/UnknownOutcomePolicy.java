package io.hapax;

import java.util.Objects;

/**
 * What to do with a message whose earlier attempt may have taken effect: its owner vanished, its
 * handler failed without saying that nothing had happened, or nobody could tell so far. It speaks
 * after the message was claimed anew, and before anything runs.
 *
 * <p>For leased mode. In transactional mode effect and mark stand or fall together, nothing is ever
 * in doubt, and only {@link #rerun()} is accepted.
 *
 * <p>Under the other two policies no more messages are claimed at once than there are workers, so
 * that a crash leaves few in doubt; under {@link #rerun()} a whole poll is.
 *
 * @param <M> the broker's message
 */
public sealed interface UnknownOutcomePolicy<M> {

  /**
   * Run it again. The handler is idempotent, or the effect may repeat; each such run is counted.
   * The default.
   *
   * @param <M> the broker's message
   * @return the policy
   */
  static <M> UnknownOutcomePolicy<M> rerun() {
    return new Rerun<>();
  }

  /**
   * Never run it again: it is dead-lettered as {@link DeadLetter.Kind#IN_DOUBT}, and a person
   * decides. With this policy an effect happens at most once.
   *
   * @param <M> the broker's message
   * @return the policy
   */
  static <M> UnknownOutcomePolicy<M> deadLetter() {
    return new Bury<>();
  }

  /**
   * Ask the downstream whether the effect happened, with the time-outs of
   * {@link ProbeSettings#DEFAULT}.
   *
   * @param probe how to ask
   * @param <M> the broker's message
   * @return the policy
   */
  static <M> UnknownOutcomePolicy<M> probe(OutcomeProbe<M> probe) {
    return probe(probe, ProbeSettings.DEFAULT);
  }

  /**
   * Ask the downstream whether the effect happened. If it did, the message is marked DONE without
   * running. If it did not, and still did not after the quiet period, the message runs. If nobody
   * can tell, it is asked again after the backoff of a failed attempt; when the attempts are used
   * up the message is dead-lettered as {@link DeadLetter.Kind#IN_DOUBT}.
   *
   * <p>The doubt stays on the mark until it is DONE or DEAD, so that every later attempt asks
   * again.
   *
   * @param probe how to ask
   * @param settings how long to wait
   * @param <M> the broker's message
   * @return the policy
   */
  static <M> UnknownOutcomePolicy<M> probe(OutcomeProbe<M> probe, ProbeSettings settings) {
    return new Probe<>(probe, settings);
  }

  /**
   * See {@link #rerun()}.
   *
   * @param <M> the broker's message
   */
  record Rerun<M>() implements UnknownOutcomePolicy<M> {}

  /**
   * See {@link #deadLetter()}.
   *
   * @param <M> the broker's message
   */
  record Bury<M>() implements UnknownOutcomePolicy<M> {}

  /**
   * See {@link #probe(OutcomeProbe, ProbeSettings)}.
   *
   * @param probe how to ask
   * @param settings how long to wait
   * @param <M> the broker's message
   */
  record Probe<M>(OutcomeProbe<M> probe, ProbeSettings settings)
      implements UnknownOutcomePolicy<M> {

    /**
     * Refuses what is missing.
     *
     * @param probe not null
     * @param settings not null
     */
    public Probe {
      Objects.requireNonNull(probe, "probe");
      Objects.requireNonNull(settings, "settings");
    }
  }
}
