package io.hapax.internal.store;

import io.hapax.health.Problem;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Environment;
import io.hapax.policy.StoreOutagePolicy;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the store is away, and for longer than it is waited for. While it is away it is asked
 * each second, so that nobody goes on without it for longer than that once it is back.
 *
 * <p>Only calls that failed show that it is away, from when they were sent; no time that passes
 * does. Of the time between two of them no more than half of the patience counts, so that a process
 * that was stopped has to find the store away again and again before it goes on without it.
 *
 * <p>Once nobody waits for it any more it is back when it has kept something. It may know what it
 * kept before, and say so, and take nothing more.
 */
public final class OutageDetector {

  private static final Logger LOG = LoggerFactory.getLogger(OutageDetector.class);

  private static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(1);

  private final Environment env;
  private final Events events;
  private final String scope;
  private final Optional<Duration> patience;
  private final StoreWriteProbe question;
  private volatile Runnable whenBypassed = () -> {};
  private FailureSpan absence = FailureSpan.NONE;
  private long oldAt;
  private boolean asking;
  private volatile long answeredAt;
  private volatile boolean away;
  private volatile boolean told;

  /** Allocated once, so that the schedule goes on where memory is used up. */
  private final Runnable ask = this::ask;

  public OutageDetector(
      DedupStore store, StoreOutagePolicy policy, String scope, Environment env, Events events) {
    this.env = env;
    this.events = events;
    this.scope = scope;
    this.question = new StoreWriteProbe(store, scope, env);
    this.patience = policy instanceof StoreOutagePolicy.FailOpen open
        ? Optional.of(open.patience())
        : Optional.empty();
    this.answeredAt = env.nanos();
    patience.ifPresent(it -> LOG.warn(
        "Consumer {} fails open: once its store has not answered for {} messages run without"
            + " marks, and may run again",
        scope,
        it));
  }

  /** Has an action run each time the store is found away after it has been bypassed. */
  public void whenBypassed(Runnable action) {
    whenBypassed = action;
  }

  /** A call to the store failed, or all of its marks were out of reach. */
  public void failed(long sentNanos) {
    if (patience.isPresent() && noticed(sentNanos, patience.get())) {
      askLater();
    }
  }

  /** True if nobody asks the store yet whether it is back. */
  private synchronized boolean noticed(long sentNanos, Duration patient) {
    long now = env.nanos();
    long since = away || sentNanos - answeredAt > 0 ? sentNanos : answeredAt;
    absence = longer(absence, since);
    oldAt = now + (now - sentNanos) + patient.toNanos();
    away = true;
    boolean first = !asking;
    asking = true;
    return first;
  }

  /** What has been away for so long, and was away for another call. */
  public FailureSpan longer(FailureSpan before, long sentNanos) {
    long half = patience.map(it -> it.toNanos() / 2 + 1).orElse(0L);
    return before.failed(sentNanos, half);
  }

  /**
   * A call for marks was answered; if none of what it asks for could be reached it failed all the
   * same.
   *
   * @param kept whether an answer shows that the store has kept something, and not only read
   */
  public void answered(List<?> answers, Class<?> unavailable, boolean kept, long sentNanos) {
    if (answers.stream().allMatch(unavailable::isInstance)) {
      failed(sentNanos);
    } else {
      answered(kept);
    }
  }

  /**
   * The consumer's generation was read for the first time. Nothing could be claimed before, so that
   * the store keeps nothing has to be seen from now on.
   */
  void claimsMayBegin() {
    answered(true);
  }

  private void answered(boolean kept) {
    if (patience.isPresent()) {
      answeredAt = env.nanos();
      if ((away || told) && (kept || !isOver())) {
        end();
      }
    }
  }

  private synchronized void end() {
    away = false;
    absence = FailureSpan.NONE;
    if (told) {
      told = false;
      LOG.warn("The store answers again: messages are protected");
      events.clear(Problem.Kind.STORE_BYPASSED);
    }
  }

  /**
   * Whether nobody waits for the store any more. What is known of it grows old: who has not asked
   * for a while, because the process was stopped, has to ask again.
   */
  public boolean over() {
    return away && toldIf(isOver());
  }

  /** The same right after a call failed, for messages that have found it away for so long. */
  public boolean over(FailureSpan own) {
    return over() || toldIf(patience.isPresent() && lasts(own, patience.get()));
  }

  private synchronized boolean isOver() {
    return away && lasts(absence, patience.orElseThrow()) && env.nanos() - oldAt <= 0;
  }

  private static boolean lasts(FailureSpan absence, Duration patient) {
    return absence.begun() && absence.nanos() >= patient.toNanos();
  }

  private boolean toldIf(boolean over) {
    if (over && !told) {
      tell();
    }
    return over;
  }

  private synchronized void tell() {
    if (!told) {
      told = true;
      LOG.warn(
          "The store has not answered for {}: messages run without marks, and may run again",
          patience.orElseThrow());
      events.raise(
          Problem.Kind.STORE_BYPASSED, "the store is bypassed: messages run without marks");
      if (!asking) { // it answers for other messages, and perhaps for none from now on
        asking = true;
        askLater();
      }
    }
  }

  private void askLater() {
    env.threads().callLater(ask, BETWEEN_QUESTIONS.toMillis());
  }

  private void ask() {
    if (answeredMeanwhile()) {
      return;
    }
    try {
      askOnce(env.nanos());
    } finally {
      askUntilAnswered();
    }
  }

  private void askOnce(long sent) {
    try {
      question.ask();
      events.storeAnswered();
      answered(true);
    } catch (RuntimeException | Error e) {
      events.storeFailed("keep marks", e);
      failed(sent);
      if (over()) {
        whenBypassed.run();
      }
    }
  }

  private void askUntilAnswered() {
    if (!answeredMeanwhile()) {
      askLater();
    }
  }

  private synchronized boolean answeredMeanwhile() {
    asking = away || told;
    return !asking;
  }
}
