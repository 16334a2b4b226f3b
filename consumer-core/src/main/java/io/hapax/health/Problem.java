package io.hapax.health;

import java.time.Instant;

/**
 * One thing that keeps messages from moving, or that a person should look at. A health check shows
 * it; a program decides by its kind, never by its text. It ends by itself when its cause ends.
 *
 * @param kind what part has the problem
 * @param subject the partition, queue, topic or message with the problem; empty: the whole consumer
 * @param since when the problem began, by the clock of this process; the same while it lasts
 * @param text the problem in one sentence, for people. It may change while the problem lasts
 */
public record Problem(Kind kind, String subject, Instant since, String text) {

  /**
   * What part has the problem. The kinds of the receiver come first, those of adapters and of
   * single messages follow; a list of problems has this order.
   */
  public enum Kind {
    /** A call to the store failed, and none was answered since. Messages wait. */
    STORE,
    /** Leases are not renewed: other consumers may take over messages that run here. */
    LEASE_RENEWAL,
    /** The consumer's generation cannot be read or has moved. Nothing is claimed. */
    GENERATION,
    /** Stale marks could not be counted. */
    STALE_MARKS,
    /** The latest probe could not find out whether an effect happened. */
    PROBE,
    /**
     * The receiver, or an interceptor of the application in front of it, threw an unexpected
     * exception. The messages of that submission are deferred.
     */
    INTERNAL_ERROR,
    /** The adapter has ended or died. No more messages are received until it is started again. */
    RECEIVER_DOWN,
    /** The broker does not answer, or refuses this consumer. */
    BROKER,
    /** Commits of offsets keep failing. */
    COMMIT,
    /** A setting of the consumer, its group, its topics or its store must change. */
    CONFIGURATION,
    /** Messages remain in a topic that this consumer does not read. */
    STRANDED_MESSAGES,
    /** A record cannot be read; its partition is stopped. */
    PARTITION_STOPPED,
    /** Messages of a partition or queue run, and have had no outcome for too long. */
    NO_PROGRESS,
    /**
     * A partition or queue waits until its first message can be tried again: its backoff has not
     * expired, or another consumer has it. This is a wait by plan, reported at once. It is no
     * reason to take a process out of service.
     */
    PARTITION_WAITING,
    /** A handler has outlived its time limit and was interrupted, but still runs. */
    HANDLER_TIMEOUT,
    /** A message that was lost with a consumer runs alone and takes too long. */
    SUSPECT,
    /** The target of dead letters is missing, or its publisher does not return. */
    DEAD_LETTERS,
    /**
     * A message can neither run nor be dead-lettered, or its handler ended its transaction itself.
     * Its partition or queue waits.
     */
    MESSAGE_BLOCKED
  }
}
