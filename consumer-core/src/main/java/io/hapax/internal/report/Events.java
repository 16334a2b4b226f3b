package io.hapax.internal.report;

import io.hapax.ReceiverListener;
import io.hapax.adapter.Outcome;
import io.hapax.health.Problem;
import io.hapax.health.Problem.Kind;
import io.hapax.health.Problems;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.policy.TooOldPolicy;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.StoreListener;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies the listeners of events, logs them, and keeps the current problems. */
public final class Events implements StoreListener {

  private static final Logger LOG = LoggerFactory.getLogger(Events.class);

  /** The subject of a problem of the whole consumer. */
  private static final String ALL = "";

  private static final String EVICTION = "eviction";

  private static final Duration EVICTION_PROBLEM = Duration.ofMinutes(5);

  private final List<ReceiverListener> listeners;
  private final Ticker ticker;
  private final Problems problems;
  private volatile long settledNanos;
  private volatile boolean hasSettled;
  private volatile long evictedNanos;
  private volatile boolean hasEvicted;

  public Events(List<ReceiverListener> listeners, Ticker ticker, InstantSource clock) {
    this.listeners = listeners;
    this.ticker = ticker;
    this.problems = new Problems(clock);
  }

  public void progressed() {
    settledNanos = ticker.nanos();
    hasSettled = true;
  }

  public Optional<Duration> sinceSettled() {
    return hasSettled ? Optional.of(since(settledNanos)) : Optional.empty();
  }

  private Duration since(long nanos) {
    return Duration.ofNanos(Math.max(0, ticker.nanos() - nanos));
  }

  /** Returns whether there are listeners, so that calls have to be measured. */
  public boolean hasListeners() {
    return !listeners.isEmpty();
  }

  /**
   * Notifies all listeners. If one throws, neither the message nor the next listener is affected.
   */
  public void notifyListeners(Consumer<ReceiverListener> event) {
    for (ReceiverListener listener : listeners) {
      try {
        event.accept(listener);
      } catch (Throwable e) { // one in another language may throw any
        LOG.warn("A receiver listener threw", Descriptions.loggable(e));
      }
    }
  }

  public void outcome(Optional<MessageKey> key, String coordinates, Outcome outcome) {
    if (!hasListeners()) {
      return;
    }
    notifyListeners(
        key.isPresent()
            ? it -> it.onOutcome(key.get(), coordinates, outcome)
            : it -> it.onOutcome(coordinates, outcome));
  }

  /**
   * Reports that another owner has taken over a claim. The transaction of a fenced owner cannot
   * commit.
   */
  public void fenced(Claim claim) {
    LOG.warn(
        "Claim {} of {} was taken over; {}",
        claim.token(),
        claim.key(),
        claim.attempt().external()
            ? "its effect may be repeated"
            : "its own transaction commits nothing");
    notifyListeners(it -> it.onFenced(claim.key(), claim.token()));
  }

  /** Reports an accepted settlement, and the loss of its mark, if the answer shows one. */
  public void settled(SettleAnswer.Settled answer, Claim claim) {
    progressed();
    if (answer.markLost()) {
      markLost(claim);
    }
  }

  /** Reports a mark that the store has lost, after it has been claimed. */
  public void markLost(Claim claim) {
    LOG.warn("The store lost the mark of {} under claim {}", claim.key(), claim.token());
    notifyListeners(it -> it.onMarkLost(claim.key(), claim.token()));
  }

  /**
   * Reports an attempt that repairs an earlier one. A takeover in doubt is a warning, because a
   * user without meters sees it in the log only. A retry is not: its failure was logged as a
   * warning.
   */
  public void recovered(MessageKey key, ClaimAnswer.Acquired acquired) {
    if (acquired.recovered()) {
      acquired
          .previous()
          .filter(it -> acquired.claim().attempt().inDoubt())
          .ifPresentOrElse(
              previous -> LOG.warn(
                  "{} was taken over from {}, which claimed it {} ago (token {}); its effect may be"
                      + " repeated",
                  key,
                  previous.owner(),
                  previous.age(),
                  previous.token()),
              () -> LOG.info("{} is handled again: {}", key, acquired.kind()));
      notifyListeners(it -> it.onRecovery(key, acquired));
    }
  }

  public void tooOld(MessageKey key, Duration age, TooOldPolicy policy) {
    LOG.debug("{} was sent {} ago, longer than the dedup window: {}", key, age, policy);
    notifyListeners(it -> it.onTooOldToJudge(key, age, policy));
  }

  /** Raises the problem of a store that fails; logs a warning only if the problem is new. */
  public void storeFailed(String verb, Throwable error) {
    if (problems.raise(
        Kind.STORE, ALL, "store failed to " + verb + ": " + Descriptions.of(error))) {
      LOG.warn(
          "The store failed to {}; the call is repeated until the store answers",
          verb,
          Descriptions.loggable(error));
    } else {
      LOG.debug("The store failed to {}", verb, Descriptions.loggable(error));
    }
    notifyListeners(it -> it.onStoreError(verb, error));
  }

  /** Notifies the listeners. The store logs the loss itself. */
  @Override
  public void onDataLost(StoreLoss loss) {
    if (loss.extent() == StoreLoss.Extent.EVICTED) {
      evictedNanos = ticker.nanos();
      hasEvicted = true;
      raise(
          Kind.CONFIGURATION,
          EVICTION,
          ALL,
          "the store evicts keys (" + loss.place() + "), because its memory is full: completed"
              + " messages that are redelivered may run again. Give it memory, and an eviction"
              + " policy that refuses writes instead; for Redis maxmemory-policy noeviction");
    }
    notifyListeners(it -> it.onStoreDataLost(loss));
  }

  @Override
  public void onForgotten(int marks) {
    notifyListeners(it -> it.onStoreMarksForgotten(marks));
  }

  /** Reports a rollback because of concurrent transactions, which is normal and temporary. */
  public void contended(String verb, RuntimeException error) {
    LOG.debug("{} was rolled back because of other transactions", verb, error);
    notifyListeners(it -> it.onStoreError(verb, error));
  }

  /**
   * Reports that a handler broke its transaction. If everything was rolled back, it is a failed
   * attempt like any other and is logged as one.
   */
  public void brokenTransaction(BrokenTransactionException error) {
    if (error.inDoubt()) {
      LOG.error(
          "A handler ended its transaction; some marks were committed without their whole effect",
          Descriptions.loggable(error));
    } else {
      LOG.debug("A handler broke its transaction, which was rolled back", error);
    }
  }

  /** Raises the problem of a suspect that blocked others for too long; clear it when it ends. */
  public void suspectTimedOut(String suspect, String where, Duration limit) {
    String text = suspect + " has not ended after " + limit + "; no other suspect waits for it";
    LOG.warn("{}", text);
    raise(Kind.SUSPECT, suspect, where, text);
  }

  public void storeAnswered() {
    if (problems.clear(Kind.STORE, ALL)) {
      LOG.info("The store answers again");
    }
  }

  /** Raises the problem of an unexpected error; its messages are deferred and redelivered. */
  public void internalError(String what, Throwable error) {
    LOG.error("{} failed; its messages are deferred", what, Descriptions.loggable(error));
    raise(Kind.INTERNAL_ERROR, what + " failed: " + Descriptions.of(error));
  }

  /** Reports the error that has ended the receiver, until it is closed. */
  public void receiverFailed(Throwable error) {
    raise(
        Kind.RECEIVER_DOWN,
        "the receiver has failed and must be replaced: " + Descriptions.of(error));
  }

  /** Clears the problem of an unexpected exception, after a submission without one. */
  public void submissionSucceeded() {
    clear(Kind.INTERNAL_ERROR);
  }

  public void raise(Kind kind, String text) {
    raise(kind, ALL, ALL, text);
  }

  public void raise(Kind kind, String id, String where, String text) {
    var unused = problems.raise(kind, id, where, text);
  }

  public void clear(Kind kind) {
    clear(kind, ALL);
  }

  public void clear(Kind kind, String id) {
    var unused = problems.clear(kind, id);
  }

  public boolean storeAnswers() {
    return !problems.has(Kind.STORE, ALL);
  }

  public List<Problem> problems() {
    if (hasEvicted && since(evictedNanos).compareTo(EVICTION_PROBLEM) > 0) {
      clear(Kind.CONFIGURATION, EVICTION);
    }
    return problems.list();
  }
}
