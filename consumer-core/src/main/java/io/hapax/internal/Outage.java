package io.hapax.internal;

import io.hapax.StoreOutagePolicy;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the store is away, and for longer than it is waited for. While it is away it is asked the
 * time each second, so that nobody goes on without it for longer than that once it is back.
 */
final class Outage<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Outage.class);

  private static final String TROUBLE = "store bypass";
  private static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(1);

  private final Engine<M> engine;
  private final Optional<Duration> patience;
  private final MessageKey question;
  private volatile boolean away;
  private long since;
  private volatile boolean told;

  Outage(Engine<M> engine, StoreOutagePolicy policy) {
    this.engine = engine;
    this.patience = policy instanceof StoreOutagePolicy.FailOpen open
        ? Optional.of(open.patience())
        : Optional.empty();
    String scope = engine.settings().scope();
    this.question = MessageKey.of(scope, "hapax: does the store answer?");
    patience.ifPresent(it -> LOG.warn(
        "Consumer {} fails open: once its store has not answered for {} messages run without"
            + " marks, and may run again",
        scope,
        it));
  }

  /** A call to the store failed, or all of its marks were out of reach. */
  void failed(long sentNanos) {
    if (patience.isPresent() && begins(sentNanos)) {
      askLater();
    }
  }

  private synchronized boolean begins(long sentNanos) {
    if (away) {
      return false;
    }
    away = true;
    since = sentNanos;
    return true;
  }

  void answered() {
    if (away || told) {
      end();
    }
  }

  private synchronized void end() {
    away = false;
    if (told) {
      told = false;
      LOG.warn("The store answers again: messages are protected");
      engine.events().clear(TROUBLE);
    }
  }

  /**
   * Whether nobody waits for the store any more, on behalf of a message that began to wait then.
   */
  boolean over(long waitingSince) {
    if (patience.isEmpty()) {
      return false;
    }
    boolean over = lasts(waitingSince, patience.get());
    if (over) {
      tell();
    }
    return over;
  }

  private synchronized boolean lasts(long waitingSince, Duration atMost) {
    long now = engine.nanos();
    return now - waitingSince >= atMost.toNanos() || (away && now - since >= atMost.toNanos());
  }

  private synchronized void tell() {
    if (!told) {
      told = true;
      LOG.warn(
          "The store has not answered for {}: messages run without marks, and may run again",
          patience.orElseThrow());
      engine.events().raise(TROUBLE, "the store is bypassed: messages run without marks");
    }
  }

  private void askLater() {
    engine.threads().callLater(this::ask, BETWEEN_QUESTIONS.toMillis());
  }

  private void ask() {
    if (!away) {
      return;
    }
    try {
      engine.claimer().askTheTime(question);
      engine.events().storeAnswered();
      end();
    } catch (RuntimeException | Error e) {
      engine.events().storeFailed("claim", e);
      askLater();
    }
  }
}
