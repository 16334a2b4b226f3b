package io.hapax.console.operations;

import io.hapax.audit.AuditProgress;
import io.hapax.audit.GroupReplay;
import io.hapax.audit.TopicAudit;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveSettings;
import io.hapax.redrive.Redriver;
import io.hapax.store.DedupStore;
import java.util.Optional;
import java.util.Set;

/** The operations of an operator on a broker, independent of its kind. */
public interface Broker {

  /**
   * The target of a dry run that must not publish anything because no topic is known. No topic has
   * this name.
   */
  String NO_TARGET = "?";

  /**
   * Creates an audit that reports its progress.
   *
   * @param store the store of the marks
   * @param progress receives the progress
   * @return the audit
   * @throws Exception if the brokers cannot be reached
   */
  TopicAudit audit(DedupStore store, AuditProgress progress) throws Exception;

  /**
   * Connects for a replay of a group.
   *
   * @param group the group
   * @return the replay; the caller closes it
   * @throws Exception if the brokers cannot be reached
   */
  GroupReplay replay(String group) throws Exception;

  /**
   * Connects for a redrive of dead letters.
   *
   * @param store the store of the marks
   * @param settings the permitted topics and records
   * @return the redriver; the caller closes it
   * @throws Exception if the brokers cannot be reached
   */
  Redriver redriver(DedupStore store, RedriveSettings settings) throws Exception;

  /**
   * Connects for a redelivery of messages of open marks.
   *
   * @param marks the marks
   * @return the redelivery; the caller closes it
   * @throws Exception if the brokers cannot be reached
   */
  Redelivery redelivery(MarkOperations marks) throws Exception;

  /**
   * Returns the dead-letter topic of a message, if it depends on the topic of the message.
   *
   * @param coordinates the place of the message, as its mark names it
   * @return the topic; empty for that of the {@link Deployment}
   */
  default Optional<String> deadLetterTopic(String coordinates) {
    return Optional.empty();
  }

  /**
   * Returns whether each dead letter of the consumer is in the topic of the {@link Deployment}.
   *
   * @return false if there may be another dead-letter topic
   */
  default boolean hasOneDeadLetterTopic() {
    return true;
  }

  /**
   * Returns the topics that a redrive may publish to, if they depend on the dead-letter topic.
   *
   * @param letters the dead-letter topic
   * @return the topics, none if they are unknown; empty for that of the {@link Deployment}
   */
  default Optional<Set<String>> targets(String letters) {
    return Optional.empty();
  }
}
