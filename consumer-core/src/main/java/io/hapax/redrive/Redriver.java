package io.hapax.redrive;

import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;

/**
 * Redrives the dead-letter records of a topic, whatever the broker: reopens the mark of each
 * message, and then publishes the message to its source topic. Acknowledges nothing, and the
 * records remain in their topic. The implementations describe what a crash between the two steps
 * leaves behind, and which records they refuse.
 *
 * <p>For one thread, unless an implementation says otherwise.
 */
public interface Redriver extends AutoCloseable {

  /**
   * Returns the results that a redrive would have. Changes nothing.
   *
   * @param letters the dead-letter topic
   * @param from where to begin
   * @param which the selected records
   * @return the results
   * @throws IllegalArgumentException if the dead-letter topic or a partition does not exist, or
   *     ends before the starting point
   * @throws io.hapax.audit.AuditFailedException if the brokers do not answer
   * @throws io.hapax.store.StoreException if the store does not answer
   * @throws InterruptedException if the thread was interrupted
   */
  RedriveReport plan(TopicPart letters, StartingPoint from, DeadLetterSelection which)
      throws InterruptedException;

  /**
   * Redrives dead-letter records. If the call fails, some may be published; it may be repeated.
   *
   * @param letters the dead-letter topic
   * @param from where to begin
   * @param which the selected records
   * @return the results
   * @throws IllegalArgumentException if the dead-letter topic or a partition does not exist, or
   *     ends before the starting point
   * @throws io.hapax.audit.AuditFailedException if the brokers do not answer
   * @throws RedriveFailedException if the brokers did not accept a message; its mark is reopened
   * @throws io.hapax.store.StoreException if the store does not answer; a mark may be reopened
   * @throws InterruptedException if the thread was interrupted; a mark may be reopened
   */
  RedriveReport redrive(TopicPart letters, StartingPoint from, DeadLetterSelection which)
      throws InterruptedException;

  /** Closes the connections to the brokers. The store stays open. */
  @Override
  void close();
}
