package io.hapax.spring.console;

import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveResult;
import io.hapax.redrive.RedriveResult.Refused;
import java.util.Optional;

/**
 * Redelivers messages of open marks with the connection of the listener that reads them. Refuses a
 * message that no listener of the consumer reads, or one in shadow mode.
 */
final class ListenerRedelivery implements Redelivery {

  static final String SHADOW =
      "the listener is in shadow mode, in which a message that is published again runs again";

  private final ConsumerTopics topics;
  private final MarkOperations marks;

  ListenerRedelivery(ConsumerTopics topics, MarkOperations marks) {
    this.topics = topics;
    this.marks = marks;
  }

  /** Uses the redelivery of the listener that reads the message. */
  private interface Use {
    RedriveResult of(Redelivery redelivery, Optional<String> letters) throws InterruptedException;
  }

  @Override
  public RedriveResult plan(String id) throws InterruptedException {
    return with(id, (redelivery, letters) -> redelivery.plan(id));
  }

  @Override
  public RedriveResult execute(String id) throws InterruptedException {
    return with(id, (redelivery, letters) -> redelivery.execute(id));
  }

  @Override
  public RedriveResult deadLetter(String id, String topic) throws InterruptedException {
    return with(
        id,
        (redelivery, letters) -> letters.equals(Optional.of(topic))
            ? redelivery.deadLetter(id, topic)
            : new Refused(topic + " is not the dead-letter topic of the listener that reads it"));
  }

  private RedriveResult with(String id, Use use) throws InterruptedException {
    return marks.redeliver(id, (coordinates, bytes) -> listened(coordinates, use));
  }

  private RedriveResult listened(String coordinates, Use use) throws InterruptedException {
    Optional<ConsumerTopics.Reader> reader = topics.readerOf(coordinates);
    if (reader.isPresent() && reader.get().listener().shadow()) {
      return new Refused(SHADOW);
    } else if (reader.isPresent()) {
      try (Redelivery redelivery = reader.get().listener().operations().redelivery(marks)) {
        return use.of(redelivery, reader.get().deadLetters());
      }
    }
    return new Refused("its message is at " + coordinates + ", which no listener of "
        + topics.consumer() + " reads");
  }

  /** Does nothing, because each call closes its connection. */
  @Override
  public void close() {}
}
