package io.hapax.internal.shadow;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.hapax.ReceiverHealth;
import io.hapax.ShadowReport;
import io.hapax.StaleMarkSettings;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.internal.Engine;
import io.hapax.internal.Engines;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.Fingerprint;
import io.hapax.policy.ConflictPolicy;
import io.hapax.policy.TooOldPolicy;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Claims and marks the messages of a receiver in shadow mode, and counts what it finds. It is an
 * engine without a handler, which settles a claim when the run of its message has ended. Nothing
 * waits for it: when too many of its messages are unfinished, further ones are not shown to it.
 */
final class ShadowObserver<M> {

  /** How long closing waits for the last settlements. */
  private static final Duration CLOSING = Duration.ofSeconds(2);

  private final ShadowCounts counts;
  private final Engine<Shadowed<M>> engine;
  private final int limit;
  private final Ticker ticker;
  private final AtomicInteger unfinished = new AtomicInteger();

  ShadowObserver(EngineSettings<M> settings, DedupStore store, Ticker ticker) {
    this.counts = new ShadowCounts(Platform.with(ticker).clock());
    this.ticker = ticker;
    this.limit = settings.running().claimWindow();
    ShadowRuns<M> runs = new ShadowRuns<>(settings.failing().retry().maxAttempts());
    this.engine = Engines.observing(of(settings, counts), store, runs, ticker);
  }

  private static <M> EngineSettings<Shadowed<M>> of(
      EngineSettings<M> settings, ShadowCounts counts) {
    Optional<StaleMarkSettings> staleMarks = settings.reporting().staleMarks();
    return new EngineSettings<>(
        settings.scope(),
        new EngineSettings.Reading<>(
            it -> it.key().map(key -> key.id()),
            settings.reading().missingIds(),
            it -> it.fingerprint().orElse(Fingerprint.NONE),
            settings.reading().missingFingerprints(),
            Optional.of(conflict -> ConflictPolicy.Decision.DROP),
            TooOldPolicy.PROCESS),
        settings.lease(),
        new EngineSettings.Failing(settings.failing().retry(), error -> false),
        new EngineSettings.Running<>(
            settings.running().workers(),
            settings.running().drainTimeout(),
            Optional.empty(),
            UnknownOutcomePolicy.rerun()),
        new EngineSettings.Answering<>(settings.answering().resultLimit(), Optional.empty()),
        new EngineSettings.Reporting<>(
            Optional.empty(),
            EngineSettings.Reporting.DEAD_LETTER_TIMEOUT,
            List.of(counts),
            staleMarks));
  }

  /** Shows messages to the store. Returns at once and does not throw. */
  void observe(List<Incoming<Shadowed<M>>> messages) {
    List<Incoming<Shadowed<M>>> known = messages.stream()
        .filter(it -> hasIdentity(ShadowedHandout.runOf(it)))
        .map(ShadowObserver::alone)
        .toList();
    counts.withoutIdentity(messages.size() - known.size());
    if (known.isEmpty()) {
      return;
    }
    if (unfinished.getAndAdd(known.size()) >= limit) {
      unobserved(known.size());
      return;
    }
    try {
      var unused =
          engine.submit(known, (index, outcome) -> decided(known.get(index).message(), outcome));
    } catch (RuntimeException
        | Error e) { // closed, or without memory: the messages run all the same
      unobserved(known.size());
    }
  }

  private static boolean hasIdentity(Shadowed<?> message) {
    return message.key().isPresent() && message.fingerprint().isPresent();
  }

  /** A message that has to wait for its mark holds back no other. */
  private static <M> Incoming<Shadowed<M>> alone(Incoming<Shadowed<M>> it) {
    return new Incoming<>(
        Handout.always(ShadowedHandout.runOf(it)),
        it.lane(),
        false,
        it.coordinates(),
        false,
        it.timestampMillis());
  }

  private void unobserved(int messages) {
    unfinished.addAndGet(-messages);
    counts.unjudged(messages);
  }

  /** Counts a message, unless it was given up before it ran. */
  private void decided(Shadowed<M> message, Outcome outcome) {
    if (message.hasRun() || !message.outcome().isDone()) {
      counts.decided(outcome);
    }
    if (unfinished.decrementAndGet() == 0) {
      signalIdle();
    }
  }

  private synchronized void signalIdle() {
    notifyAll();
  }

  private synchronized void awaitIdle() {
    long end = ticker.nanos() + CLOSING.toNanos();
    try {
      for (long left = CLOSING.toNanos(); left > 0 && unfinished.get() > 0; ) {
        NANOSECONDS.timedWait(this, left);
        left = end - ticker.nanos();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  ShadowReport report() {
    return counts.report();
  }

  ReceiverHealth health() {
    return engine.health();
  }

  Duration retention() {
    return engine.retention();
  }

  /** Waits for the last settlements, for a short time, after the real runs have ended. */
  void close() {
    awaitIdle();
    engine.close(Duration.ZERO);
  }
}
