package io.hapax.internal.shadow;

import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.run.ObservedStart;
import io.hapax.mark.Attempt;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A message of a receiver in shadow mode, for both of its engines, from its delivery to the outcome
 * of its run. Gives the message as its adapter gives it.
 */
final class ShadowRun<M> implements Handout<ShadowRun<M>>, ObservedStart.Observed {

  private static final Verdict RELEASE = new Verdict.Release();
  private static final Verdict IN_DOUBT = new Verdict.Retry(Duration.ZERO, true);

  final Optional<MessageKey> key;
  final Optional<Fingerprint> fingerprint;
  private final Incoming<M> incoming;
  private final int maxAttempts;
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private volatile @Nullable M message;
  private volatile boolean hasRun;
  private volatile boolean mayHaveActed;

  ShadowRun(
      Incoming<M> incoming,
      Optional<MessageKey> key,
      Optional<Fingerprint> fingerprint,
      int maxAttempts) {
    this.incoming = incoming;
    this.key = key;
    this.fingerprint = fingerprint;
    this.maxAttempts = maxAttempts;
  }

  Incoming<ShadowRun<M>> toRun() {
    return new Incoming<>(
        this,
        incoming.lane(),
        incoming.inOrder(),
        incoming.coordinates(),
        incoming.probation(),
        incoming.timestampMillis(),
        incoming.lastDelivery());
  }

  /** A message that has to wait for its mark holds back no other. */
  Incoming<ShadowRun<M>> toObserve() {
    return new Incoming<>(
        Handout.always(this),
        incoming.lane(),
        false,
        incoming.coordinates(),
        false,
        incoming.timestampMillis());
  }

  @Override
  public ShadowRun<M> received() {
    var unused = incoming.message(); // throws if it cannot be read again now
    return this;
  }

  /** A message has one call at a time, which takes its object at its beginning. */
  @Override
  public ShadowRun<M> next() {
    message = incoming.handout().next();
    return this;
  }

  @Override
  public boolean isSpent() {
    return incoming.handout().isSpent();
  }

  M message() {
    return Objects.requireNonNull(message, "message");
  }

  /** Records that the handler is called, and may have an effect. */
  void begun() {
    hasRun = true;
    mayHaveActed = true;
  }

  void notApplied() {
    mayHaveActed = false;
  }

  void complete(Outcome known) {
    var unused = outcome.complete(known);
  }

  boolean endedBeforeItRan() {
    return !hasRun && outcome.isDone();
  }

  @Override
  public CompletableFuture<Outcome> outcome() {
    return outcome;
  }

  /**
   * A mark is DONE only after the run succeeded. A run that failed gives its attempt back, so that
   * the real mode does not find them used up. The first run that may have had an effect keeps its
   * attempt, because only a counted attempt can put the mark in doubt.
   */
  @Override
  public ObservedStart.End end(Attempt attempt, Outcome known) {
    if (known instanceof Outcome.Executed executed) {
      return new ObservedStart.End(Optional.of(new Verdict.Done(executed.result())), known);
    }
    if (!hasRun) {
      return new ObservedStart.End(Optional.of(RELEASE), Deferrals.ABANDONED);
    }
    boolean failed = known instanceof Outcome.Deferred deferred
        && (deferred.reason() == Outcome.Reason.RETRY
            || deferred.reason() == Outcome.Reason.DEFERRED);
    return failed
        ? new ObservedStart.End(Optional.of(failed(attempt)), known)
        : new ObservedStart.End(Optional.empty(), Deferrals.ABANDONED); // its handler may still run
  }

  /** Never keeps the last attempt: the real mode would dead-letter the message without a run. */
  private Verdict failed(Attempt attempt) {
    boolean newDoubt = mayHaveActed && !attempt.inDoubt();
    return newDoubt && attempt.number() < maxAttempts ? IN_DOUBT : RELEASE;
  }
}
