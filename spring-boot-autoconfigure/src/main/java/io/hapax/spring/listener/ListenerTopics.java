package io.hapax.spring.listener;

import io.hapax.audit.AuditProgress;
import io.hapax.audit.AuditReport;
import io.hapax.audit.StartingPoint;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.RedriveReport;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The topics of a listener, for operators. Each call connects to the brokers as the listener does,
 * but in no group.
 */
public interface ListenerTopics {

  /**
   * Returns the consumer that has the marks of their messages.
   *
   * @return its name
   */
  String consumer();

  /**
   * Returns the topics.
   *
   * @return their names; empty for a listener with a pattern
   */
  Set<String> names();

  /**
   * Returns whether the listener reads a topic.
   *
   * @param topic its name
   * @return true if it is one of the names, or matches the pattern
   */
  boolean reads(String topic);

  /**
   * Compares the messages of a topic with their marks. Changes nothing.
   *
   * @param topic a topic that the listener reads
   * @param from where to begin
   * @param progress is notified of the progress
   * @return the report
   * @throws IllegalArgumentException if the topic does not exist
   * @throws io.hapax.audit.AuditFailedException if the brokers do not answer
   * @throws io.hapax.store.StoreException if the store does not answer
   * @throws InterruptedException if the thread was interrupted
   */
  AuditReport audit(String topic, StartingPoint from, AuditProgress progress)
      throws InterruptedException;

  /**
   * Returns where the dead-letter records of a topic are that can be redriven.
   *
   * @param topic a topic that the listener reads
   * @return the dead-letter topic; empty if Hapax publishes no dead-letter records of it
   */
  Optional<String> deadLetters(String topic);

  /**
   * Redrives dead-letter records, or returns the results that a redrive would have. Publishes only
   * to topics of the listener, and refuses messages without a mark.
   *
   * @param topic a topic that the listener reads, and that has a dead-letter topic
   * @param from where to begin in the dead-letter topic
   * @param which the selected records
   * @param executes false for a dry run
   * @return the results
   * @throws IllegalArgumentException if the dead-letter topic does not exist
   * @throws io.hapax.audit.AuditFailedException if the brokers do not answer
   * @throws io.hapax.redrive.RedriveFailedException if the brokers did not accept a message; some
   *     may be published
   * @throws io.hapax.store.StoreException if the store does not answer; some may be published
   * @throws InterruptedException if the thread was interrupted; some may be published
   */
  RedriveReport redrive(
      String topic, StartingPoint from, DeadLetterSelection which, boolean executes)
      throws InterruptedException;

  /** Knows the topics of the listeners of a broker. A bean. */
  @FunctionalInterface
  interface Source {

    /**
     * Returns the topics of the listeners that were made idempotent.
     *
     * @return those of each listener
     */
    List<ListenerTopics> topics();
  }
}
