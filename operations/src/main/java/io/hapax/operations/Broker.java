package io.hapax.operations;

import io.hapax.operations.audit.TopicAudit;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.topic.AuditProgress;
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
   * Creates an audit that reports its progress. It connects when it runs.
   *
   * @param store the store of the marks
   * @param progress receives the progress
   * @return the audit
   */
  TopicAudit audit(DedupStore store, AuditProgress progress);

  /**
   * Connects for a replay of a group.
   *
   * @param group the group
   * @return the replay; the caller closes it
   * @throws IllegalArgumentException if the group has no name
   * @throws io.hapax.errors.AuditFailedException if the client cannot start
   */
  GroupReplay replay(String group);

  /**
   * Connects for redrives of dead letters and redeliveries of the messages of open marks.
   *
   * @param store the store of the marks; stays open
   * @return the redriver; the caller closes it
   * @throws io.hapax.errors.AuditFailedException if the client cannot start
   */
  Redriver redriver(DedupStore store);

  /**
   * Returns the dead-letter topic of a message, if it depends on the topic of the message.
   *
   * @param coordinates the place of the message, as its mark names it
   * @return the topic; empty for the configured one
   */
  default Optional<String> deadLetterTopic(String coordinates) {
    return Optional.empty();
  }

  /**
   * Returns whether each dead letter of the consumer is in the configured topic.
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
   * @return the topics, none if they are unknown; empty for the configured ones
   */
  default Optional<Set<String>> targets(String letters) {
    return Optional.empty();
  }
}
