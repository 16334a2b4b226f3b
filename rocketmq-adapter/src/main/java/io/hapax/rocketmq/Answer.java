package io.hapax.rocketmq;

import io.hapax.Outcome;
import io.hapax.Outcome.Deferred;
import java.time.Duration;
import java.util.List;

/** What a listener has to tell its client of the messages of one call. */
sealed interface Answer {

  /**
   * They are settled up to one of them, and the rest is to come again.
   *
   * @param done how many from the first on may be acknowledged
   * @param after how long the rest has to wait; zero if nothing rests
   */
  record Settled(int done, Duration after) implements Answer {}

  /** Nothing may be said: the queue was given up, and its messages stay where they are. */
  record Withdrawn() implements Answer {}

  /** The messages before the first deferred one are done; the rest waits as long as any of it. */
  static Settled of(List<Outcome> outcomes) {
    int done = 0;
    while (done < outcomes.size() && outcomes.get(done).mayAcknowledge()) {
      done++;
    }
    Duration after = Duration.ZERO;
    for (Outcome outcome : outcomes.subList(done, outcomes.size())) {
      if (outcome instanceof Deferred deferred && deferred.after().compareTo(after) > 0) {
        after = deferred.after();
      }
    }
    return new Settled(done, after);
  }
}
