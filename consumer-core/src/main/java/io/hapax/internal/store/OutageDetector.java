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
 * Detects that the store is unavailable, and whether it has been so for longer than the patience of
 * the fail-open policy; then the store is bypassed. Probes an unavailable store every second, so
 * that the bypass ends at most a second after the store has recovered.
 *
 * <p>Only failed calls count, from the time at which they were sent; elapsed time alone does not.
 * At most half of the patience counts between two calls. So a process that was suspended needs
 * several failed calls before it bypasses the store.
 *
 * <p>A bypass ends only after the store has written something. A store that is full still answers
 * reads.
 */
public final class OutageDetector {

  private static final Logger LOG = LoggerFactory.getLogger(OutageDetector.class);

  private static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);

  private final Environment env;
  private final Events events;
  private final Optional<Duration> patience;
  private final StoreWriteProbe writeProbe;
  private volatile Runnable whenBypassed = () -> {};
  private FailureSpan failures = FailureSpan.NONE;
  private long expiresAtNanos;
  private boolean probing;
  private volatile long answeredAtNanos;
  private volatile boolean unavailable;
  private volatile boolean bypassReported;

  /** Allocated once, so that the schedule continues after an OutOfMemoryError. */
  private final Runnable probe = this::probe;

  public OutageDetector(
      DedupStore store, StoreOutagePolicy policy, String scope, Environment env, Events events) {
    this.env = env;
    this.events = events;
    this.writeProbe = new StoreWriteProbe(store, scope, env);
    this.patience = policy instanceof StoreOutagePolicy.FailOpen open
        ? Optional.of(open.patience())
        : Optional.empty();
    this.answeredAtNanos = env.nanos();
    patience.ifPresent(it -> LOG.warn(
        "Consumer {} fails open: once its store has not answered for {} messages run without"
            + " marks, and may run again",
        scope,
        it));
  }

  /** Sets the action that runs each time a probe fails while the store is bypassed. */
  public void whenBypassed(Runnable action) {
    whenBypassed = action;
  }

  /** Records that a call to the store failed, or that all of its marks were unavailable. */
  public void failed(long sentNanos) {
    if (patience.isPresent() && recordFailure(sentNanos, patience.get())) {
      probeLater();
    }
  }

  /** Returns whether the caller has to start the probes. */
  private synchronized boolean recordFailure(long sentNanos, Duration limit) {
    long now = env.nanos();
    long since = unavailable || sentNanos - answeredAtNanos > 0 ? sentNanos : answeredAtNanos;
    failures = longer(failures, since);
    expiresAtNanos = now + (now - sentNanos) + limit.toNanos();
    unavailable = true;
    boolean first = !probing;
    probing = true;
    return first;
  }

  /** Extends a span of failures by another failed call. */
  public FailureSpan longer(FailureSpan before, long sentNanos) {
    long half = patience.map(it -> it.toNanos() / 2 + 1).orElse(0L);
    return before.failed(sentNanos, half);
  }

  /**
   * Records that a call was answered. If each answer is of the unavailable type, the call counts as
   * failed.
   *
   * @param wrote whether an answer proves that the store has written, not only read
   */
  public void answered(List<?> answers, Class<?> unavailableType, boolean wrote, long sentNanos) {
    if (answers.stream().allMatch(unavailableType::isInstance)) {
      failed(sentNanos);
    } else {
      answered(wrote);
    }
  }

  /**
   * Forgets the failures before the first reading of the generation. No claim was possible before,
   * so that they prove nothing about writes.
   */
  void claimsMayBegin() {
    answered(true);
  }

  private void answered(boolean wrote) {
    if (patience.isPresent()) {
      answeredAtNanos = env.nanos();
      if ((unavailable || bypassReported) && (wrote || !patienceExceeded())) {
        end();
      }
    }
  }

  private synchronized void end() {
    unavailable = false;
    failures = FailureSpan.NONE;
    if (bypassReported) {
      bypassReported = false;
      LOG.warn("The store answers again: messages are protected");
      events.clear(Problem.Kind.STORE_BYPASSED);
    }
  }

  /**
   * Returns whether the store is bypassed. The failures expire: a process that was suspended needs
   * another failed call first.
   */
  public boolean bypassed() {
    return unavailable && reported(patienceExceeded());
  }

  /** Returns the same after a failed call, also for messages whose own calls failed long enough. */
  public boolean bypassed(FailureSpan own) {
    return bypassed() || reported(patience.isPresent() && lasts(own, patience.get()));
  }

  private synchronized boolean patienceExceeded() {
    return unavailable
        && lasts(failures, patience.orElseThrow())
        && env.nanos() - expiresAtNanos <= 0;
  }

  private static boolean lasts(FailureSpan span, Duration limit) {
    return span.begun() && span.nanos() >= limit.toNanos();
  }

  private boolean reported(boolean bypassed) {
    if (bypassed && !bypassReported) {
      reportBypass();
    }
    return bypassed;
  }

  private synchronized void reportBypass() {
    if (!bypassReported) {
      bypassReported = true;
      LOG.warn(
          "The store has not answered for {}: messages run without marks, and may run again",
          patience.orElseThrow());
      events.raise(
          Problem.Kind.STORE_BYPASSED, "the store is bypassed: messages run without marks");
      if (!probing) { // it answered for other messages, whose calls may have ended
        probing = true;
        probeLater();
      }
    }
  }

  private void probeLater() {
    env.threads().callLater(probe, PROBE_INTERVAL.toMillis());
  }

  private void probe() {
    if (recovered()) {
      return;
    }
    try {
      probeOnce(env.nanos());
    } finally {
      probeAgain();
    }
  }

  private void probeOnce(long sent) {
    try {
      writeProbe.write();
      events.storeAnswered();
      answered(true);
    } catch (RuntimeException | Error e) {
      events.storeFailed("keep marks", e);
      failed(sent);
      if (bypassed()) {
        whenBypassed.run();
      }
    }
  }

  private void probeAgain() {
    if (!recovered()) {
      probeLater();
    }
  }

  private synchronized boolean recovered() {
    probing = unavailable || bypassReported;
    return !probing;
  }
}
