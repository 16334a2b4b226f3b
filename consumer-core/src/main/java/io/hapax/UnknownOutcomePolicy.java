package io.hapax;

import java.util.Objects;

/**
 * What to do with a message whose earlier attempt may have taken effect. Its owner vanished, its
 * handler failed with another error than a {@link io.hapax.errors.NotAppliedException}, or a probe
 * had no answer. The policy applies after the message was claimed again, before its handler runs.
 *
 * <p>For leased mode. In transactional mode effect and mark are committed together, no message is
 * in doubt, and only {@link #rerun()} is accepted.
 *
 * <p>Under {@link #rerun()} a whole poll is claimed at a time. Under the other two policies at most
 * as many messages are claimed as there are workers, so that a crash leaves few in doubt.
 *
 * @param <M> the broker's message
 */
public sealed interface UnknownOutcomePolicy<M> {

  /**
   * {@return the policy that runs it again: the handler is idempotent, or the effect may repeat}
   * Each such run is counted. The default.
   *
   * @param <M> the broker's message
   */
  static <M> UnknownOutcomePolicy<M> rerun() {
    return new Rerun<>();
  }

  /**
   * {@return the policy that dead-letters it as {@link DeadLetter.Kind#IN_DOUBT}; a person decides}
   * With this policy an effect happens at most once.
   *
   * @param <M> the broker's message
   */
  static <M> UnknownOutcomePolicy<M> deadLetter() {
    return new Bury<>();
  }

  /**
   * {@return the policy that asks the downstream whether the effect happened, with the timeouts of
   * {@link ProbeSettings#DEFAULT}}
   *
   * @param probe how to ask
   * @param <M> the broker's message
   */
  static <M> UnknownOutcomePolicy<M> probe(OutcomeProbe<M> probe) {
    return probe(probe, ProbeSettings.DEFAULT);
  }

  /**
   * {@return the policy that asks the downstream whether the effect happened} If it did, the
   * message is marked DONE without running. If it did not, and still did not after the quiet
   * period, the message runs. If the answer is unknown, the probe is called again after the backoff
   * of a failed attempt; when the attempts are used up, the message is dead-lettered as
   * {@link DeadLetter.Kind#IN_DOUBT}.
   *
   * <p>The mark stays in doubt until it is DONE or DEAD, so every later attempt asks again.
   *
   * @param probe how to ask
   * @param settings how long to wait
   * @param <M> the broker's message
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
     * Checks that both are there.
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
