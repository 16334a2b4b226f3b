package io.hapax.spring.console;

import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.console.operations.Broker;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveSettings;
import io.hapax.redrive.Redriver;
import io.hapax.spring.listener.ListenerTopics;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Redrives dead-letter records that a listener published, to topics that the same listener reads.
 * Refuses every other dead-letter topic and every other target, and publishes nothing to a listener
 * in shadow mode.
 */
final class ListenerRedriver implements Redriver {

  private final ConsumerTopics topics;
  private final RedriveSettings settings;

  ListenerRedriver(ConsumerTopics topics, RedriveSettings settings) {
    this.topics = topics;
    this.settings = settings;
  }

  @Override
  public RedriveReport plan(TopicPart letters, StartingPoint from, DeadLetterSelection which)
      throws InterruptedException {
    try (Redriver redriver = publisher(letters.topic()).operations().redriver(settings)) {
      return redriver.plan(letters, from, which);
    }
  }

  @Override
  public RedriveReport redrive(TopicPart letters, StartingPoint from, DeadLetterSelection which)
      throws InterruptedException {
    ListenerTopics publisher = publisher(letters.topic());
    if (publisher.shadow()) {
      throw new IllegalArgumentException(ListenerRedelivery.SHADOW);
    }
    try (Redriver redriver = publisher.operations().redriver(settings)) {
      return redriver.redrive(letters, from, which);
    }
  }

  /** Returns the listener that published the records and reads the targets. */
  private ListenerTopics publisher(String letters) {
    List<ListenerTopics> publishers =
        topics.all().stream().filter(it -> it.deadLettersTo(letters)).toList();
    if (publishers.isEmpty()) {
      throw new IllegalArgumentException("the dead-letter topic is " + letters
          + " but must be one to which Hapax publishes the dead letters of " + topics.consumer());
    }
    return publishers.stream()
        .filter(this::readsTargets)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("the redrive may publish to "
            + String.join(", ", new TreeSet<>(settings.targets()))
            + " but within the application only to topics of the listener whose dead letters are in "
            + letters + ": " + ConsumerTopics.names(publishers)));
  }

  private boolean readsTargets(ListenerTopics listener) {
    return settings.targets().equals(Set.of(Broker.NO_TARGET))
        || settings.targets().stream().allMatch(listener::reads);
  }

  /** Does nothing, because each call closes its connection. */
  @Override
  public void close() {}
}
