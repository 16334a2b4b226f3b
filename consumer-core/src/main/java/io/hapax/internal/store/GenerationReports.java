package io.hapax.internal.store;

import io.hapax.health.Problem.Kind;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Descriptions;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports to the log, to listeners and to health what is known of a consumer's generation. */
record GenerationReports(String consumer, Events events) {

  private static final Logger LOG = LoggerFactory.getLogger(GenerationReports.class);

  void known(int generation) {
    events.storeAnswered();
    LOG.info("Consumer {} runs under generation {}", consumer, generation);
  }

  void unchanged() {
    events.clear(Kind.GENERATION);
  }

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

  void hanging(Duration time) {
    unreadable("no answer yet after " + time);
  }

  void failedFirst(Throwable error) {
    events.storeFailed("read the generation", error);
  }

  /**
   * Reports a read that failed. A single failure, after which claims are still sent, is no problem.
   */
  void failed(Throwable error, boolean claimsStop) {
    LOG.debug(
        "The generation of consumer {} could not be read", consumer, Descriptions.loggable(error));
    if (claimsStop) {
      unreadable(Descriptions.of(error));
    }
  }

  private void unreadable(String reason) {
    events.raise(
        Kind.GENERATION, "generation of consumer " + consumer + " could not be read: " + reason);
  }
}
