package io.hapax.spring.listener;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The topics of a listener, for operators. */
public interface ListenerTopics {

  /** {@return the consumer that has the marks of their messages} */
  String consumer();

  /** {@return the group in which the listener reads} */
  String group();

  /** {@return whether the listener is in shadow mode, in which each delivery of a message runs} */
  boolean shadow();

  /** {@return the topics; empty for a listener with a pattern} */
  Set<String> names();

  /**
   * Returns whether the listener reads a topic.
   *
   * @param topic its name
   * @return true if it is one of the names, or matches the pattern
   */
  boolean reads(String topic);

  /**
   * Returns the topic of a message that a mark of the consumer belongs to.
   *
   * @param coordinates the place of the message, as its mark names it
   * @return the topic; empty if the listener does not read the message
   */
  Optional<String> topicOf(String coordinates);

  /**
   * Returns where the dead-letter records of a topic are that can be redriven.
   *
   * @param topic a topic that the listener reads
   * @return the dead-letter topic; empty if Hapax publishes no dead-letter records of it
   */
  Optional<String> deadLetters(String topic);

  /**
   * Returns whether a topic is the dead-letter topic of a topic that the listener reads.
   *
   * @param letters its name
   * @return false if Hapax publishes no dead-letter records of the listener there
   */
  boolean deadLettersTo(String letters);

  /** {@return the operations on the topics; they connect when they are used} */
  TopicOperations operations();

  /** Knows the topics of the listeners of a broker. A bean. */
  @FunctionalInterface
  interface Source {

    /** {@return the topics of the listeners that were made idempotent} */
    List<ListenerTopics> topics();
  }
}
