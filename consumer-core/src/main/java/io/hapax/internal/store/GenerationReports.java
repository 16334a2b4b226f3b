package io.hapax.internal.store;

import io.hapax.health.Problem.Kind;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Descriptions;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports to the log, to listeners and to health what is known of a consumer's generation. */
final class GenerationReports {

  private static final Logger LOG = LoggerFactory.getLogger(GenerationReports.class);

  private final String consumer;
  private final Events events;

  GenerationReports(String consumer, Events events) {
    this.consumer = consumer;
    this.events = events;
  }

  /** Reports the first generation that was read. */
  void known(int generation) {
    events.storeAnswered();
    LOG.info("Consumer {} runs under generation {}", consumer, generation);
  }

  /** Reports that the generation was read and has not changed. */
  void unchanged() {
    events.clear(Kind.GENERATION);
  }

  /** Reports that the consumer has another generation now. */
  void moved(int from, int to) {
    String detail = to > from
        ? "generation of consumer " + consumer + " moved from " + from + " to " + to
            + " while this receiver runs: restart it"
        : "generation of consumer " + consumer + " was " + from + " and is " + to
            + ": the store has lost it; move it beyond " + from + ", then restart this receiver";
    LOG.error("{}; it claims nothing any more", detail);
    events.raise(Kind.GENERATION, detail);
    events.notifyListeners(it -> it.onGenerationMoved(from, to));
  }

  /** Reports a read that is not answered yet. */
  void hanging(Duration time) {
    unreadable("no answer yet after " + time);
  }

  /** Reports that the first read of the generation failed. */
  void failedFirst(Throwable error) {
    events.storeFailed("read the generation", error);
  }

  /**
   * Reports a read that failed.
   *
   * @param claimsStop whether no claim is sent until a read succeeds; a single failure is no
   *     problem
   */
  void failed(Throwable error, boolean claimsStop) {
    LOG.debug("The generation of consumer {} could not be read", consumer, error);
    if (claimsStop) {
      unreadable(Descriptions.of(error));
    }
  }

  private void unreadable(String reason) {
    events.raise(
        Kind.GENERATION, "generation of consumer " + consumer + " could not be read: " + reason);
  }
}
