package io.hapax.redrive;

/**
 * Publishes messages of open marks: again, so that the consumer takes the marks over, or as dead
 * letters. Each adapter implements it.
 */
public interface Redelivery extends AutoCloseable {

  /**
   * Returns what a redelivery or a {@link #deadLetter} would do with a message. Fetches the message
   * and publishes nothing.
   *
   * @param id the message id, as a text; bytes that are not a text as {@code 0x} and hexadecimal
   * @return what would happen
   * @throws IllegalArgumentException if the text is not a message id
   * @throws io.hapax.audit.AuditFailedException if the brokers do not answer
   * @throws io.hapax.store.StoreException if the store does not answer
   * @throws InterruptedException if the thread was interrupted
   */
  RedriveResult plan(String id) throws InterruptedException;

  /**
   * Publishes a message again, and waits until the brokers acknowledge it.
   *
   * @param id the message id, as for {@link #plan}
   * @return what happened
   * @throws IllegalArgumentException if the text is not a message id
   * @throws io.hapax.audit.AuditFailedException if the brokers do not answer: the message was
   *     published or not
   * @throws io.hapax.store.StoreException if the store does not answer
   * @throws InterruptedException if the thread was interrupted: the message was published or not
   */
  RedriveResult execute(String id) throws InterruptedException;

  /**
   * Publishes the record of a message to a dead-letter topic, and sets its mark to DEAD, so that
   * the next delivery of the message is acknowledged without running.
   * {@link MarkOperations#deadLetter} describes what a crash leaves behind.
   *
   * @param id the message id, as for {@link #plan}
   * @param topic the dead-letter topic, which must exist, and is not that of the message
   * @return {@link RedriveResult.Published} if the record is published and the mark is DEAD, else
   *     the reason
   * @throws IllegalArgumentException if the text is not a message id, or there is no such topic
   * @throws io.hapax.audit.AuditFailedException if the brokers do not answer; the record may be
   *     published
   * @throws io.hapax.store.StoreException if the store does not answer; the message says whether
   *     the record is published
   * @throws InterruptedException if the thread was interrupted; the record may be published
   */
  RedriveResult deadLetter(String id, String topic) throws InterruptedException;

  /** Closes the connections to the brokers. */
  @Override
  void close();
}
