package io.hapax.internal.shadow;

import io.hapax.adapter.Outcome;
import io.hapax.internal.Engine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Claims and marks the messages of a receiver in shadow mode, and counts what it finds. Its engine
 * has no handler, and settles a claim when the run of its message has ended. Nothing waits for it:
 * when too many of its messages are unfinished, further ones are not shown to it.
 */
record ShadowObserver<M>(
    Engine<ShadowRun<M>> engine, ShadowCounts counts, int limit, AtomicInteger unfinished) {

  /** How long closing waits for the last settlements. */
  private static final Duration CLOSING = Duration.ofSeconds(2);

  ShadowObserver(Engine<ShadowRun<M>> engine, ShadowCounts counts, int limit) {
    this(engine, counts, limit, new AtomicInteger());
  }

  /** Shows messages to the store. Returns at once. */
  void observe(List<ShadowRun<M>> runs) {
    List<ShadowRun<M>> known = runs.stream()
        .filter(it -> it.key.isPresent() && it.fingerprint.isPresent())
        .toList();
    counts.withoutIdentity.add(runs.size() - known.size());
    if (known.isEmpty() || unfinished.getAndAdd(known.size()) >= limit) {
      unobserved(known.size());
      return;
    }
    try {
      var unused = engine.submit(
          known.stream().map(ShadowRun::toObserve).toList(),
          (index, outcome) -> decided(known.get(index), outcome));
    } catch (RuntimeException e) { // closed or failed: the messages run all the same
      unobserved(known.size());
    }
  }

  private void unobserved(int messages) {
    unfinished.addAndGet(-messages);
    counts.unjudged.add(messages);
  }

  private void decided(ShadowRun<M> run, Outcome outcome) {
    if (!run.endedBeforeItRan()) {
      counts.of(outcome).increment();
    }
    unfinished.decrementAndGet();
  }

  /** Waits for the last settlements, for a short time, after the real runs have ended. */
  void close() {
    engine.await(CLOSING);
    engine.close(Duration.ZERO);
  }
}
