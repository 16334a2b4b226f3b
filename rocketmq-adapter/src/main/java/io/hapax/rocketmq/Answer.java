package io.hapax.rocketmq;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The answer of a listener to its client about the messages of one call. */
sealed interface Answer {

  /**
   * Each message has an outcome.
   *
   * @param outcomes in the order of the call
   */
  record Settled(List<Outcome> outcomes) implements Answer {

    /** How long the first that may not be acknowledged has to wait; empty if all may be. */
    Optional<Duration> firstWait() {
      return outcomes.stream()
          .filter(Deferred.class::isInstance)
          .map(it -> ((Deferred) it).after())
          .findFirst();
    }
  }

  /** Nothing may be said: the queue was given up, and its messages stay where they are. */
  record Withdrawn() implements Answer {}
}
