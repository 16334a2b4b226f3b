package io.hapax;

import io.hapax.adapter.Outcome;
import io.hapax.generation.Generations;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MessageKey;
import io.hapax.policy.ConflictPolicy;
import io.hapax.policy.MissingIdPolicy;
import io.hapax.policy.StoreOutagePolicy;
import io.hapax.policy.TooOldPolicy;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.time.Instant;

/**
 * Is told what the receiver does, for metrics and audit. Called on the receiver's threads after the
 * fact; not called for what a crash cut off. Must be quick; what it throws is logged and otherwise
 * ignored.
 */
public interface ReceiverListener {

  /** Listens to nothing. */
  ReceiverListener NONE = new ReceiverListener() {};

  /**
   * A message with an id has its outcome. Unless overridden it tells {@link #onOutcome(String,
   * Outcome)}.
   *
   * @param key the message
   * @param coordinates where the message lies
   * @param outcome what became of it
   */
  default void onOutcome(MessageKey key, String coordinates, Outcome outcome) {
    onOutcome(coordinates, outcome);
  }

  /**
   * A message has its outcome. Called by the engine for those without a usable id only; for the
   * others by {@link #onOutcome(MessageKey, String, Outcome)}, unless that is overridden.
   *
   * @param coordinates where the message lies
   * @param outcome what became of it
   */
  default void onOutcome(String coordinates, Outcome outcome) {}

  /**
   * A call of the handler has ended: for one message, for many at once, or inside a transaction.
   *
   * @param call for which messages, how long, and how it went
   */
  default void onHandlerCall(HandlerCall call) {}

  /**
   * A message came whose mark was DONE already. Not told of one that came while the first was still
   * on its way in this process: it is a duplicate too, of the age zero. Nor of one that the
   * receiver itself remembered ({@link #onCacheHit}).
   *
   * @param key the message
   * @param doneAt by the store's clock, when it was done: how long ago that is tells how much of
   *     the retention is used
   */
  default void onDuplicate(MessageKey key, Instant doneAt) {}

  /**
   * A message came that the receiver itself remembered to be DONE, so that the store was not asked
   * ({@link ReceiverBuilder#doneCache}).
   *
   * @param key the message
   */
  default void onCacheHit(MessageKey key) {}

  /**
   * A message came without a usable id, whatever the {@link MissingIdPolicy} makes of it. Told at
   * each delivery.
   *
   * @param coordinates where the message lies
   */
  default void onMissingId(String coordinates) {}

  /**
   * A message was dead-lettered, and the broker has acknowledged that record; its mark is settled
   * after this.
   *
   * @param letter what was published
   */
  default void onDeadLetter(DeadLetter<?> letter) {}

  /**
   * A claim was acquired although an earlier attempt may have taken effect, before its handler
   * runs: from here on the effect can repeat in leased mode.
   *
   * @param key the message
   * @param acquired the claim, and the owner that vanished
   */
  default void onRecovery(MessageKey key, ClaimAnswer.Acquired acquired) {}

  /**
   * The downstream was asked whether the effect of a message in doubt happened; or it could not be
   * asked, and nobody knows.
   *
   * @param key the message
   * @param answer what it answered
   */
  default void onProbed(MessageKey key, OutcomeProbe.Answer answer) {}

  /**
   * A handler failed before anything happened and is called again at once, under the same claim
   * ({@link InProcessRetry}). Told before the wait; a message that is given up in it is not called.
   *
   * @param key the message
   * @param retry 1 for the first retry
   * @param error what the handler threw
   */
  default void onInProcessRetry(MessageKey key, int retry, Throwable error) {}

  /**
   * A message came whose id is known with another payload. Told for each delivery of it.
   *
   * @param key the id
   * @param coordinates where the message lies
   * @param decision what becomes of it; {@link ConflictPolicy.Decision#FAIL} if the policy threw
   */
  default void onConflict(MessageKey key, String coordinates, ConflictPolicy.Decision decision) {}

  /**
   * A message is older than the store's retention and the store knows of no earlier attempt:
   * whether it was done before nobody can tell. Told before it runs, or is dead-lettered.
   *
   * @param key the message
   * @param age how long ago it was sent, by its own time and the store's clock
   * @param policy what becomes of it
   */
  default void onTooOldToJudge(MessageKey key, Duration age, TooOldPolicy policy) {}

  /**
   * An owner found its claim taken over.
   *
   * @param key the message
   * @param token the token that is not current any more
   */
  default void onFenced(MessageKey key, long token) {}

  /**
   * The store had lost a mark, and the owner wrote it anew; or, when it settled a dead-lettered
   * message, left it so that the message runs if it comes again.
   *
   * @param key the message
   * @param token the owner's token
   */
  default void onMarkLost(MessageKey key, long token) {}

  /**
   * The receiver goes on with a message without the store ({@link StoreOutagePolicy#failOpen}),
   * which then may run again. Told before the handler runs, or before the message is acknowledged.
   *
   * @param key the message
   * @param bypass what is done without it
   */
  default void onStoreBypassed(MessageKey key, StoreBypass bypass) {}

  /**
   * The store failed; nothing was acknowledged, unless {@link #onStoreBypassed} tells otherwise.
   *
   * @param verb what it was asked to do
   * @param error how it failed
   */
  default void onStoreError(String verb, Throwable error) {}

  /**
   * The consumer's generation is another one than the receiver began with: nothing is claimed any
   * more until the receiver is built anew ({@link Generations}). Told once.
   *
   * @param was the one that the receiver runs under
   * @param now the one that is in the store; less than before if the store has lost it
   */
  default void onGenerationMoved(int was, int now) {}

  /**
   * The stale marks of the consumer were counted ({@link ReceiverBuilder#countStaleMarks}). If they
   * could not be, {@link #onStoreError} is told of the verb {@code list} instead.
   *
   * @param found what was found
   */
  default void onStaleMarks(StaleMarks found) {}

  /**
   * The store found out that it has lost marks: messages that were done may run once more, and this
   * is why. Told by stores that can find out, to each open receiver
   * ({@link io.hapax.store.StoreListener#onDataLost}).
   *
   * @param loss where, and how much
   */
  default void onStoreDataLost(StoreLoss loss) {}

  /**
   * The store removed open or dead marks that nobody had touched for the time that it keeps such
   * marks: a message of theirs that comes again runs as if it were new, and this is why. Told to
   * each open receiver ({@link io.hapax.store.StoreListener#onForgotten}).
   *
   * @param marks how many, of any consumer; positive
   */
  default void onStoreMarksForgotten(int marks) {}
}
