package io.hapax.operations;

import io.hapax.operations.audit.TopicAudit;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkAdmin;
import java.util.Map;
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
   * {@return an audit that reports its progress} It connects when it runs.
   *
   * @param store the store of the marks
   * @param progress receives the progress
   */
  TopicAudit audit(MarkAdmin store, AuditProgress progress);

  /**
   * {@return a connection for a replay of a group; the caller closes it}
   *
   * @param group the group
   * @throws IllegalArgumentException if the group has no name
   * @throws io.hapax.errors.AuditFailedException if the client cannot start
   */
  GroupReplay replay(String group);

  /**
   * {@return the offsets that a group has committed, by partition or queue; no entry where there is
   * none}
   *
   * @param group the group
   * @param topic the topic
   * @throws io.hapax.errors.AuditFailedException if the brokers do not answer
   * @throws InterruptedException if the thread was interrupted
   */
  default Map<String, Long> committed(String group, String topic) throws InterruptedException {
    try (GroupReplay offsets = replay(group)) {
      return offsets.committed(topic);
    }
  }

  /**
   * {@return a connection for redrives of dead letters and redeliveries of the messages of open
   * marks; the caller closes it}
   *
   * @param store the store of the marks; stays open
   * @throws io.hapax.errors.AuditFailedException if the client cannot start
   */
  Redriver redriver(DedupStore store);

  /**
   * {@return the dead-letter topic of a message, if it depends on the topic of the message; empty
   * for the configured one}
   *
   * @param coordinates the place of the message, as its mark names it
   */
  default Optional<String> deadLetterTopic(String coordinates) {
    return Optional.empty();
  }

  /** {@return whether each dead letter of the consumer is in the configured topic} */
  default boolean hasOneDeadLetterTopic() {
    return true;
  }

  /**
   * {@return the topics that a redrive may publish to, if they depend on the dead-letter topic,
   * none if they are unknown; empty for the configured ones}
   *
   * @param letters the dead-letter topic
   */
  default Optional<Set<String>> targets(String letters) {
    return Optional.empty();
  }
}
