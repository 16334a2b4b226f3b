package io.hapax.spring.console;

import io.hapax.operations.Broker;
import io.hapax.operations.redrive.DeadLetterSelection;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.operations.redrive.RedriveReport;
import io.hapax.operations.redrive.RedriveResult;
import io.hapax.operations.redrive.RedriveResult.Refused;
import io.hapax.operations.redrive.RedriveSettings;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.spring.listener.ListenerTopics;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Redrives dead-letter records to topics that their listener reads, with its connection. Publishes
 * nothing to a listener in shadow mode.
 */
record ListenerRedriver(ConsumerTopics topics, MarkOperations marks) implements Redriver {

  private static final Text SHADOW = Text.of("listener.shadow");

  @Override
  public RedriveReport plan(
      TopicPart letters, StartingPoint from, DeadLetterSelection which, RedriveSettings settings)
      throws InterruptedException {
    ListenerTopics publisher = publisher(letters.topic(), settings.targets());
    return publisher.redrive(it -> it.plan(letters, from, which, settings));
  }

  @Override
  public RedriveReport redrive(
      TopicPart letters, StartingPoint from, DeadLetterSelection which, RedriveSettings settings)
      throws InterruptedException {
    ListenerTopics publisher = publisher(letters.topic(), settings.targets());
    if (publisher.settings().shadow()) {
      throw SHADOW.refusal();
    }
    return publisher.redrive(it -> it.redrive(letters, from, which, settings));
  }

  private ListenerTopics publisher(String letters, Set<String> targets) {
    List<ListenerTopics> publishers =
        topics.all().stream().filter(it -> it.deadLettersTo(letters)).toList();
    if (publishers.isEmpty()) {
      throw Text.of("listener.letters", letters, topics.consumer()).refusal();
    }
    return publishers.stream()
        .filter(
            it -> targets.equals(Set.of(Broker.NO_TARGET)) || targets.stream().allMatch(it::reads))
        .findFirst()
        .orElseThrow(() -> Text.of(
                "listener.targets",
                String.join(", ", new TreeSet<>(targets)),
                letters,
                ConsumerTopics.names(publishers))
            .refusal());
  }

  private interface Use {
    RedriveResult of(Redriver redriver, Optional<String> letters) throws InterruptedException;
  }

  @Override
  public RedriveResult plan(String id) throws InterruptedException {
    return with(id, (redriver, letters) -> redriver.plan(id));
  }

  @Override
  public RedriveResult redeliver(String id) throws InterruptedException {
    return with(id, (redriver, letters) -> redriver.redeliver(id));
  }

  @Override
  public RedriveResult deadLetter(String id, String topic) throws InterruptedException {
    return with(
        id,
        (redriver, letters) -> letters.equals(Optional.of(topic))
            ? redriver.deadLetter(id, topic)
            : new Refused(Text.of("listener.other-letters", topic)));
  }

  private RedriveResult with(String id, Use use) throws InterruptedException {
    return marks.redeliver(id, (coordinates, bytes) -> listened(coordinates, use));
  }

  private RedriveResult listened(String coordinates, Use use) throws InterruptedException {
    Optional<ConsumerTopics.Reader> reader = topics.readerOf(coordinates);
    if (reader.isPresent() && reader.get().listener().settings().shadow()) {
      return new Refused(SHADOW);
    } else if (reader.isPresent()) {
      return reader
          .get()
          .listener()
          .redrive(redriver -> use.of(redriver, reader.get().deadLetters()));
    }
    return new Refused(Text.of("listener.unread", coordinates, topics.consumer()));
  }

  /** Does nothing, because each call closes its connection. */
  @Override
  public void close() {}
}
