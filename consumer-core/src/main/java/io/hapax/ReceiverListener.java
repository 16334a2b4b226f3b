package io.hapax;

import io.hapax.adapter.Outcome;
import io.hapax.generation.Generations;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MessageKey;
import io.hapax.policy.ConflictPolicy;
import io.hapax.policy.MissingIdPolicy;
import io.hapax.policy.TooOldPolicy;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Receives the events of a receiver, for metrics and audit. Called on the receiver's threads, after
 * the event; events right before a crash may be missing. Must be quick; exceptions are only logged.
 */
public interface ReceiverListener {

  /** Ignores all events. */
  ReceiverListener NONE = new ReceiverListener() {};

  /**
   * A message with an id has its outcome. The default calls {@link #onOutcome(String, Outcome)}.
   *
   * @param key the message
   * @param coordinates where the message lies
   * @param outcome the outcome
   */
  default void onOutcome(MessageKey key, String coordinates, Outcome outcome) {
    onOutcome(coordinates, outcome);
  }

  /**
   * A message has its outcome. The engine calls it for messages without a usable id;
   * {@link #onOutcome(MessageKey, String, Outcome)} calls it for the others unless overridden.
   *
   * @param coordinates where the message lies
   * @param outcome the outcome
   */
  default void onOutcome(String coordinates, Outcome outcome) {}

  /**
   * A call of the handler has ended: for one message, for several, or inside a transaction.
   *
   * @param call its messages, its duration and its result
   */
  default void onHandlerCall(HandlerCall call) {}

  /**
   * A message was delivered whose mark was DONE. Not called for a duplicate that arrived while the
   * first message was in flight in this process.
   *
   * @param key the message
   * @param doneAt when it was done, by the store's clock: its age shows the retention needed
   */
  default void onDuplicate(MessageKey key, Instant doneAt) {}

  /**
   * A message without a usable id was delivered, whatever its {@link MissingIdPolicy}; each time.
   *
   * @param coordinates where the message lies
   */
  default void onMissingId(String coordinates) {}

  /**
   * A message was dead-lettered, and the broker acknowledged the record. Its mark is settled later.
   *
   * @param deadLetter the message and why it was dead-lettered
   */
  default void onDeadLetter(DeadLetter<?> deadLetter) {}

  /**
   * A claim was acquired for a message whose earlier attempt may have taken effect. Called before
   * the handler runs, which may repeat the effect in leased mode.
   *
   * @param key the message
   * @param acquired the claim, and the owner that vanished
   */
  default void onRecovery(MessageKey key, ClaimAnswer.Acquired acquired) {}

  /**
   * A probe was called for a message in doubt, or could not be called.
   *
   * @param key the message
   * @param answer the answer; {@link OutcomeProbe.Answer.Unknown} if it could not be called
   */
  default void onProbed(MessageKey key, OutcomeProbe.Answer answer) {}

  /**
   * A message was delivered whose id is known with another payload. Called at each delivery.
   *
   * @param key the id
   * @param coordinates where the message lies
   * @param decision the decision; {@link ConflictPolicy.Decision#FAIL} if the policy threw
   */
  default void onConflict(MessageKey key, String coordinates, ConflictPolicy.Decision decision) {}

  /**
   * A message is older than the store's retention and has no mark, so it is unknown whether it was
   * done before. Called before it runs or is dead-lettered.
   *
   * @param key the message
   * @param age the time since its timestamp, by the store's clock
   * @param policy the policy
   */
  default void onTooOldToJudge(MessageKey key, Duration age, TooOldPolicy policy) {}

  /**
   * An owner was fenced: its claim had been taken over.
   *
   * @param key the message
   * @param token the token of that claim
   */
  default void onFenced(MessageKey key, long token) {}

  /**
   * The store had lost a mark, and the owner wrote it anew. The mark of a dead-lettered message is
   * not written, so that the message runs if it is redelivered.
   *
   * @param key the message
   * @param token the owner's token
   */
  default void onMarkLost(MessageKey key, long token) {}

  /**
   * The store failed; no message was acknowledged.
   *
   * @param verb the verb that failed
   * @param error the exception
   */
  default void onStoreError(String verb, Throwable error) {}

  /**
   * The consumer's generation has moved: the receiver claims nothing any more, until it is built
   * again ({@link Generations}). Called once.
   *
   * @param was the receiver's generation
   * @param now the generation in the store; smaller if the store has lost it
   */
  default void onGenerationMoved(int was, int now) {}

  /**
   * The stale marks of the consumer were counted ({@link ReceiverBuilder#countStaleMarks}). If the
   * count failed, {@link #onStoreError} is called with the verb {@code list} instead.
   *
   * @param found the result
   */
  default void onStaleMarks(StaleMarks found) {}

  /**
   * The store detected a loss of marks, so messages that were done may run once more. Called for
   * each open receiver, by stores that can detect it
   * ({@link io.hapax.store.StoreListener#onDataLost}).
   *
   * @param loss where, and how much
   */
  default void onStoreDataLost(StoreLoss loss) {}

  /**
   * The store removed open or dead marks that had not changed for as long as it keeps such marks.
   * If their messages are delivered again, they run as if they were new. Called for each open
   * receiver ({@link io.hapax.store.StoreListener#onForgotten}).
   *
   * @param marks the number of marks, of all consumers; positive
   */
  default void onStoreMarksForgotten(int marks) {}

  /**
   * A completed call of a handler.
   *
   * @param keys the messages of the call; at least one
   * @param took the time from the call to its return; not negative
   * @param failure the exception that it threw; empty if it returned. In transactional mode the
   *     commit follows after its return
   */
  record HandlerCall(List<MessageKey> keys, Duration took, Optional<Throwable> failure) {}
}
