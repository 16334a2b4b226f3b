package io.hapax.operations.internal;

import io.hapax.DeadLetterPublisher;
import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.TopicPart;
import java.util.List;
import java.util.Optional;

/**
 * A connection that reads dead-letter records, fetches messages and publishes both. For one thread.
 */
public interface LetterBroker<M> extends AutoCloseable {

  /** Publishes the records of one dead-letter topic. */
  interface Graveyard<M> extends DeadLetterPublisher<M>, AutoCloseable {

    @Override
    default void close() {}
  }

  /**
   * A dead-letter record, and the message that it brings back.
   *
   * @param metadata why the message was dead-lettered
   * @param diedAt when the record was written, in milliseconds since 1970; negative if unknown
   * @param message the message as its receiver saw it; the record itself if it does not name a
   *     topic
   * @param topic the topic that the message came from; empty if the record does not name it
   * @param missing what the record does not hold of the message; empty if it is whole
   */
  record Letter<M>(
      DeadLetterMetadata metadata,
      long diedAt,
      M message,
      Optional<String> topic,
      Optional<Text> missing) {}

  /** Returns what reads dead-letter topics. */
  TopicReader<M> reader();

  /** Returns what a dead-letter record says of its message. */
  Letter<M> letter(M record);

  /** Returns the topic, partition or queue that {@link #publish} sends a message to. */
  String home(M message);

  /** Returns why no message can be sent to the home of this one; empty if one can. */
  Optional<Text> homeless(M message) throws InterruptedException;

  /** Returns the topic that a message was sent to. */
  String topic(M message);

  /**
   * Sends a message that lay at these coordinates to its home, with a new time, and waits for the
   * brokers to store it.
   *
   * @throws io.hapax.errors.AuditFailedException if the brokers do not acknowledge it
   */
  void publish(M message, String coordinates) throws InterruptedException;

  /**
   * Where a message lies; the partition or queue has the name that {@link TopicReader} gives it.
   */
  record Place(TopicPart part, String queue, long offset) {}

  /**
   * Returns the places that coordinates may name in topics that exist. There may be several: the
   * names of topics and queues may contain what separates them.
   *
   * @return empty if the coordinates are not the place of a message
   */
  Optional<List<Place>> places(String coordinates) throws InterruptedException;

  /**
   * Connects to a dead-letter topic.
   *
   * @throws IllegalArgumentException if there is no such topic
   */
  Graveyard<M> graveyard(String topic) throws InterruptedException;

  /** Closes the connection. */
  @Override
  void close();
}
