package io.hapax.spring.console;

import io.hapax.mark.Bytes;
import io.hapax.operations.Broker;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.audit.TopicAudit;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.replay.ReplayRefusedException;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.FoundMessage;
import io.hapax.operations.topic.TopicPart;
import io.hapax.spring.listener.ListenerTopics;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkAdmin;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Uses connection, ids and store of the listener that reads the topic. Refuses other topics. */
record ListenerBroker(ConsumerTopics topics) implements Broker {

  @Override
  public TopicAudit audit(MarkAdmin store, AuditProgress progress) {
    return new TopicAudit() {
      @Override
      public AuditReport run(TopicPart part, Selection offsets) throws InterruptedException {
        return topics.reading(part.topic()).audit(progress, it -> it.run(part, offsets));
      }

      @Override
      public List<FoundMessage> find(String topic, Bytes id) throws InterruptedException {
        return topics.reading(topic).audit(progress, it -> it.find(topic, id));
      }
    };
  }

  /** Refuses the replay: a member of the group is part of this application. */
  @Override
  public GroupReplay replay(String group) {
    throw new ReplayRefusedException(Text.of("listener.group", group));
  }

  @Override
  public Map<String, Long> committed(String group, String topic) throws InterruptedException {
    try (GroupReplay offsets = topics.reading(topic).replay()) {
      return offsets.committed(topic);
    }
  }

  @Override
  public Redriver redriver(DedupStore store) {
    return new ListenerRedriver(topics, new MarkOperations(store, topics.consumer()));
  }

  @Override
  public Optional<String> deadLetterTopic(String coordinates) {
    return topics.readerOf(coordinates).flatMap(ConsumerTopics.Reader::deadLetters);
  }

  /** Returns false for a listener with a pattern, because its topics are unknown. */
  @Override
  public boolean hasOneDeadLetterTopic() {
    List<ListenerTopics> all = topics.all();
    return all.stream().noneMatch(it -> it.names().isEmpty())
        && all.stream()
                .flatMap(it -> it.names().stream().map(it::deadLetters))
                .distinct()
                .count()
            == 1;
  }

  /** {@inheritDoc} They are those of the first listener, as one connection serves one listener. */
  @Override
  public Optional<Set<String>> targets(String letters) {
    List<Set<String>> ofEach = topics.all().stream()
        .filter(it -> it.deadLettersTo(letters))
        .map(it -> targets(it, letters))
        .toList();
    return ofEach.stream()
        .filter(it -> !it.isEmpty())
        .findFirst()
        .or(() -> ofEach.stream().findFirst());
  }

  private static Set<String> targets(ListenerTopics listener, String letters) {
    return listener.names().stream()
        .filter(it -> listener.deadLetters(it).filter(letters::equals).isPresent())
        .collect(Collectors.toUnmodifiableSet());
  }
}
