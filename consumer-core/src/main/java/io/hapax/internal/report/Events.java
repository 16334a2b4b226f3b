package io.hapax.internal.report;

import io.hapax.ReceiverListener;
import io.hapax.StoreBypass;
import io.hapax.adapter.Outcome;
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
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listener what happens, and keeps what is wrong at the moment. */
public final class Events implements StoreListener {

  private static final Logger LOG = LoggerFactory.getLogger(Events.class);

  private static final String STORE = "store";
  private static final String ENGINE = "engine";

  private final List<ReceiverListener> listeners;
  private final Runnable marksLost;
  private final LastSettled lastSettled;
  private final Problems troubles = new Problems();

  /**
   * Told to these.
   *
   * @param marksLost run before anybody is told that the store has lost marks
   */
  public Events(List<ReceiverListener> listeners, Runnable marksLost, Ticker ticker) {
    this.listeners = listeners;
    this.marksLost = marksLost;
    this.lastSettled = new LastSettled(ticker);
  }

  /** The store has taken the end of a message. */
  public void progressed() {
    lastSettled.now();
  }

  /** Returns how long ago the store last took the end of a message. */
  public Optional<Duration> sinceSettled() {
    return lastSettled.ago();
  }

  /** Whether anybody listens: what nobody hears need not be measured. */
  public boolean heard() {
    return !listeners.isEmpty();
  }

  /** A listener that throws is the user's trouble, not the message's nor the next listener's. */
  public void tell(Consumer<ReceiverListener> event) {
    for (ReceiverListener listener : listeners) {
      try {
        event.accept(listener);
      } catch (RuntimeException | Error e) {
        LOG.warn("A receiver listener threw", Descriptions.loggable(e));
      }
    }
  }

  /** Reports the outcome of a message. */
  public void outcome(Optional<MessageKey> key, String coordinates, Outcome outcome) {
    if (!heard()) {
      return;
    }
    tell(
        key.isPresent()
            ? it -> it.onOutcome(key.get(), coordinates, outcome)
            : it -> it.onOutcome(coordinates, outcome));
  }

  public void fenced(MessageKey key, long token) {
    LOG.warn("Claim {} of {} was taken over; its effect may be repeated", token, key);
    tell(it -> it.onFenced(key, token));
  }

  public void settled(SettleAnswer.Settled answer, Claim claim) {
    if (answer.markLost()) {
      markLost(claim);
    }
  }

  public void bypassed(MessageKey key, StoreBypass bypass) {
    LOG.debug("{} goes on without the store: {}", key, bypass);
    tell(it -> it.onStoreBypassed(key, bypass));
  }

  public void markLost(Claim claim) {
    marksLost.run();
    LOG.warn("The store lost the mark of {} under claim {}", claim.key(), claim.token());
    tell(it -> it.onMarkLost(claim.key(), claim.token()));
  }

  /**
   * Reports an attempt that repairs an earlier one. A takeover in doubt is a warning: the log is
   * all that a user without meters has. The failure that a retry follows was a warning itself.
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
      tell(it -> it.onRecovery(key, acquired));
    }
  }

  public void calledAgain(MessageKey key, int calls, Throwable error) {
    LOG.debug(
        "{} failed before anything happened and is called again",
        key,
        Descriptions.loggable(error));
    tell(it -> it.onInProcessRetry(key, calls, error));
  }

  public void tooOld(MessageKey key, Duration age, TooOldPolicy policy) {
    LOG.debug("{} was sent {} ago, before what the store remembers: {}", key, age, policy);
    tell(it -> it.onTooOldToJudge(key, age, policy));
  }

  public void storeFailed(String verb, Throwable error) {
    if (troubles.raise(STORE, "store failed to " + verb + ": " + Descriptions.of(error))) {
      LOG.warn(
          "The store failed to {}; it is asked again until it answers",
          verb,
          Descriptions.loggable(error));
    } else {
      LOG.debug("The store failed to {}", verb, error);
    }
    tell(it -> it.onStoreError(verb, error));
  }

  /** The store says it in its log, too. */
  @Override
  public void onDataLost(StoreLoss loss) {
    marksLost.run();
    tell(it -> it.onStoreDataLost(loss));
  }

  @Override
  public void onForgotten(int marks) {
    tell(it -> it.onStoreMarksForgotten(marks));
  }

  /** Other transactions were in the way: normal, and over by itself. */
  public void contended(String verb, RuntimeException error) {
    LOG.debug("{} was rolled back because of other transactions", verb, error);
    tell(it -> it.onStoreError(verb, error));
  }

  /**
   * A handler ended the transaction that it was to leave alone, past the guards; the error says
   * which marks stand without their whole effect.
   */
  public void brokenTransaction(BrokenTransactionException error) {
    LOG.error("A handler broke its transaction; see what stands", Descriptions.loggable(error));
  }

  /** A handler takes longer than it may; clear the source when it is over. */
  public void overdue(String source, Duration limit) {
    LOG.error("{} was interrupted after {} and is renewed no more until it ends", source, limit);
    raise(source, source + " was interrupted after " + limit + " and has not ended");
  }

  /** A call outlives its time limit and was interrupted; clear the source when it returns. */
  public void late(String source, Duration limit) {
    LOG.error("The {} was interrupted after {}; its lane waits until it returns", source, limit);
    raise(source, source + " was interrupted after " + limit + " and has not returned");
  }

  /** A suspect that had to run alone has held up other suspects; clear the source when it ends. */
  public void holdsUpNoMore(String source, Duration limit) {
    String detail = source + " has not ended after " + limit + "; no other suspect waits for it";
    LOG.warn("{}", detail);
    raise(source, detail);
  }

  public void storeAnswered() {
    if (troubles.clear(STORE)) {
      LOG.info("The store answers again");
    }
  }

  /** Something threw that nobody foresaw; its messages are deferred and come again. */
  public void broke(String what, Throwable error) {
    LOG.error("{} broke; its messages are deferred", what, Descriptions.loggable(error));
    var unused = troubles.raise(ENGINE, what + " broke: " + Descriptions.of(error));
  }

  /** A submission went through as a whole. */
  public void whole() {
    var unused = troubles.clear(ENGINE);
  }

  public void raise(String source, String detail) {
    var unused = troubles.raise(source, detail);
  }

  public void clear(String source) {
    var unused = troubles.clear(source);
  }

  public boolean storeAnswers() {
    return !troubles.of(STORE);
  }

  public List<String> troubles() {
    return troubles.all();
  }
}
