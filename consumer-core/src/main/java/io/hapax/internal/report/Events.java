package io.hapax.internal.report;

import io.hapax.ReceiverListener;
import io.hapax.StoreBypass;
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

/** Tells the listener what happens, and keeps what is wrong at the moment. */
public final class Events implements StoreListener {

  private static final Logger LOG = LoggerFactory.getLogger(Events.class);

  /** The subject of a problem of the whole consumer. */
  private static final String ALL = "";

  private final List<ReceiverListener> listeners;
  private final Runnable marksLost;
  private final LastSettled lastSettled;
  private final Problems problems;

  /**
   * Creates the events of a receiver.
   *
   * @param marksLost runs before the listeners are notified that the store has lost marks
   * @param clock says when a problem begins
   */
  public Events(
      List<ReceiverListener> listeners, Runnable marksLost, Ticker ticker, InstantSource clock) {
    this.listeners = listeners;
    this.marksLost = marksLost;
    this.problems = new Problems(clock);
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
    if (problems.raise(
        Kind.STORE, ALL, "store failed to " + verb + ": " + Descriptions.of(error))) {
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

  /** Raises the problem of a handler that outlives its limit; clear it when the handler ends. */
  public void overdue(String handler, String where, Duration limit) {
    LOG.error("{} was interrupted after {} and is renewed no more until it ends", handler, limit);
    String text = handler + " was interrupted after " + limit + " and has not ended";
    raise(Kind.HANDLER_TIMEOUT, handler, where, text);
  }

  /** Raises the problem of a publisher that outlives its limit; clear it when the call returns. */
  public void late(String where, Duration limit) {
    String source = "dead-letter publisher for " + where;
    LOG.error("The {} was interrupted after {}; its lane waits until it returns", source, limit);
    String text = source + " was interrupted after " + limit + " and has not returned";
    raise(Kind.DEAD_LETTERS, where, where, text);
  }

  /** Raises the problem of a suspect that held up others for too long; clear it when it ends. */
  public void holdsUpNoMore(String suspect, String where, Duration limit) {
    String text = suspect + " has not ended after " + limit + "; no other suspect waits for it";
    LOG.warn("{}", text);
    raise(Kind.SUSPECT, suspect, where, text);
  }

  public void storeAnswered() {
    if (problems.clear(Kind.STORE, ALL)) {
      LOG.info("The store answers again");
    }
  }

  /** Something threw that nobody foresaw; its messages are deferred and come again. */
  public void broke(String what, Throwable error) {
    LOG.error("{} broke; its messages are deferred", what, Descriptions.loggable(error));
    raise(Kind.INTERNAL_ERROR, what + " broke: " + Descriptions.of(error));
  }

  /** A submission went through as a whole. */
  public void whole() {
    clear(Kind.INTERNAL_ERROR);
  }

  /** Raises a problem of the whole consumer. */
  public void raise(Kind kind, String text) {
    raise(kind, ALL, ALL, text);
  }

  /** Raises a problem of one message, which is known by its id. */
  public void raise(Kind kind, String id, String where, String text) {
    var unused = problems.raise(kind, id, where, text);
  }

  /** Clears a problem of the whole consumer. */
  public void clear(Kind kind) {
    clear(kind, ALL);
  }

  /** Clears a problem of one message. */
  public void clear(Kind kind, String id) {
    var unused = problems.clear(kind, id);
  }

  public boolean storeAnswers() {
    return !problems.has(Kind.STORE, ALL);
  }

  public List<Problem> problems() {
    return problems.list();
  }
}
