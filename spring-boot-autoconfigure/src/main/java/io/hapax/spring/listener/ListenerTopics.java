package io.hapax.spring.listener;

import io.hapax.operations.audit.TopicAudit;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.topic.AuditProgress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The topics of a listener, and the operations of a person on them. Each operation connects to the
 * brokers as the listener does, but in no group, and finds ids and fingerprints as it does. The
 * caller checks whether the listener reads a topic. Thread-safe; each returned object is for one
 * thread.
 */
public interface ListenerTopics {

  ListenerDefinition settings();

  String group();

  /** Returns the topics; empty for a listener with a pattern. */
  Set<String> names();

  boolean reads(String topic);

  /** Returns the topic of the message of a mark; empty if the listener does not read it. */
  Optional<String> topicOf(String coordinates);

  /** Returns where Hapax publishes the dead-letter records of a topic; empty if it does not. */
  Optional<String> deadLetters(String topic);

  /** Returns whether it is the dead-letter topic of a topic that the listener reads. */
  boolean deadLettersTo(String letters);

  /** {@return the kind and the addresses of the brokers, without credentials, for people} */
  String broker();

  @FunctionalInterface
  interface Use<O, T> {
    T with(O operation) throws InterruptedException;
  }

  /** Audits topics. The audit connects when it runs. */
  <T> T audit(AuditProgress progress, Use<TopicAudit, T> use) throws InterruptedException;

  /** Closes the connection after its use. */
  <T> T redrive(Use<Redriver, T> use) throws InterruptedException;

  /** Connects to the group, for its lag and members. The caller closes it. */
  GroupReplay replay();

  /** Knows the topics of the listeners of a broker. A bean. */
  @FunctionalInterface
  interface Source {
    List<ListenerTopics> topics();
  }
}
