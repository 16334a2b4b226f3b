package io.hapax.operations.redrive;

import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;

/**
 * Publishes messages again that their consumer has given up or left behind. An operator asks for
 * it, after the cause of the failure is fixed. Acknowledges nothing, and dead-letter records remain
 * in their topic.
 *
 * <p>A <em>redrive</em> reads dead-letter records. For each it first reopens the mark of the
 * message, with no attempts and no doubt. Then it publishes the message to where it came from, with
 * its key, headers or properties and value, and waits for the brokers to acknowledge it. The order
 * is never reversed, because a consumer that receives a message while its mark is DEAD acknowledges
 * it without running it. A crash between the two steps leaves a reopened mark and no published
 * message: redrive the record again. A message that is redriven twice takes effect once, like any
 * message that is delivered twice.
 *
 * <p>A <em>redelivery</em> fetches the message of a stale mark from the place in the mark, and
 * publishes it again. It changes no mark: the consumer that receives the message takes the mark
 * over.
 *
 * <p>All groups of the topic receive the message. Groups without a business id and a store run it
 * again. On a compacted topic of Kafka the record becomes the latest value of its key. On RocketMQ
 * a message from the retry topic of a group goes to the topic that it was first sent to, and a
 * request has lost its sender.
 *
 * <p>For one thread.
 */
public interface Redriver extends AutoCloseable {

  /**
   * {@return the results that a redrive would have} Changes nothing.
   *
   * @param letters the dead-letter topic
   * @param from where to begin; reading ends where the topic ends at the time of the call
   * @param which the selected records
   * @param settings what may be published
   * @throws IllegalArgumentException if the dead-letter topic or a partition does not exist, or
   *     ends before the starting point
   * @throws io.hapax.errors.AuditFailedException if the brokers do not answer
   * @throws io.hapax.store.StoreException if the store does not answer
   * @throws InterruptedException if the thread was interrupted
   */
  RedriveReport plan(
      TopicPart letters, StartingPoint from, DeadLetterSelection which, RedriveSettings settings)
      throws InterruptedException;

  /**
   * Redrives dead-letter records. If the call fails, some may be published; it may be repeated.
   *
   * @param letters the dead-letter topic
   * @param from where to begin; reading ends where the topic ends at the time of the call
   * @param which the selected records
   * @param settings what may be published
   * @return the results; {@link RedriveResult.Refused} says which records are refused
   * @throws IllegalArgumentException if the dead-letter topic or a partition does not exist, or
   *     ends before the starting point
   * @throws io.hapax.errors.AuditFailedException if the brokers do not answer
   * @throws RedriveFailedException if the brokers did not accept a message; its mark is reopened
   * @throws io.hapax.store.StoreException if the store does not answer; a mark may be reopened
   * @throws InterruptedException if the thread was interrupted; a mark may be reopened
   */
  RedriveReport redrive(
      TopicPart letters, StartingPoint from, DeadLetterSelection which, RedriveSettings settings)
      throws InterruptedException;

  /**
   * {@return what {@link #redeliver} or {@link #deadLetter} would do with the message of an open
   * mark} Fetches the message and publishes nothing.
   *
   * @param id the message id, as a text; bytes that are not a text as {@code 0x} and hexadecimal
   * @throws IllegalArgumentException if the text is not a message id
   * @throws io.hapax.errors.AuditFailedException if the brokers do not answer
   * @throws io.hapax.store.StoreException if the store does not answer
   * @throws InterruptedException if the thread was interrupted
   */
  RedriveResult plan(String id) throws InterruptedException;

  /**
   * Publishes the message of an open mark again. Refused while an owner holds the lease of the
   * mark, if the message is gone, and if another message is at its place. May be repeated.
   *
   * @param id the message id, as for {@link #plan(String)}
   * @return what happened
   * @throws IllegalArgumentException if the text is not a message id
   * @throws io.hapax.errors.AuditFailedException if the brokers do not answer: the message was
   *     published or not
   * @throws io.hapax.store.StoreException if the store does not answer
   * @throws InterruptedException if the thread was interrupted: the message was published or not
   */
  RedriveResult redeliver(String id) throws InterruptedException;

  /**
   * Dead-letters the message of an open mark, as a consumer does: takes the mark over, publishes
   * the record, and then sets the mark to DEAD. Refused while an owner holds the lease, and until a
   * retry is due. Acknowledges nothing: the next delivery of the message is acknowledged without
   * running. If the process ends in between, the mark is stale again after two minutes, and the
   * record may be in the topic although the next delivery runs the message.
   *
   * @param id the message id, as for {@link #plan(String)}
   * @param topic the dead-letter topic, which must exist, and is not that of the message
   * @return {@link RedriveResult.Published} if the record is published and the mark is DEAD, else
   *     the reason
   * @throws IllegalArgumentException if the text is not a message id, or there is no such topic
   * @throws io.hapax.errors.AuditFailedException if the brokers do not answer; the record may be
   *     published. The message can be claimed at once, or after two minutes if its mark is stale
   *     and not in doubt
   * @throws io.hapax.store.StoreException if the store does not answer; the message says whether
   *     the record is published
   * @throws InterruptedException if the thread was interrupted; the record may be published
   */
  RedriveResult deadLetter(String id, String topic) throws InterruptedException;

  /** Closes the connections to the brokers. The store stays open. */
  @Override
  void close();
}
