package io.hapax.spring.console;

import io.hapax.operations.text.Text;
import io.hapax.spring.listener.ListenerTopics;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;

/** The topics of all listeners of a consumer. Thread-safe. */
record ConsumerTopics(ObjectProvider<ListenerTopics.Source> sources, String consumer) {

  record Reader(ListenerTopics listener, String topic) {

    Optional<String> deadLetters() {
      return listener.deadLetters(topic);
    }
  }

  /** Returns those of each listener that exists now; empty if no listener has a broker. */
  List<ListenerTopics> all() {
    return sources
        .orderedStream()
        .flatMap(source -> source.topics().stream())
        .filter(it -> it.settings().consumer().equals(consumer))
        .toList();
  }

  String first() {
    return all().stream().limit(1).flatMap(ConsumerTopics::sorted).findFirst().orElse("");
  }

  private static Stream<String> sorted(ListenerTopics listener) {
    return listener.names().stream().sorted();
  }

  ListenerTopics reading(String topic) {
    return all().stream()
        .filter(it -> it.reads(topic))
        .findFirst()
        .orElseThrow(
            () -> Text.of("listener.topics", topic, consumer, names(all())).refusal());
  }

  Optional<Reader> readerOf(String coordinates) {
    return all().stream()
        .flatMap(it -> it.topicOf(coordinates).map(topic -> new Reader(it, topic)).stream())
        .findFirst();
  }

  static Text names(List<ListenerTopics> listeners) {
    boolean patterns = listeners.stream().anyMatch(it -> it.names().isEmpty());
    String names = listeners.stream()
        .flatMap(ConsumerTopics::sorted)
        .collect(Collectors.toCollection(TreeSet::new))
        .stream()
        .collect(Collectors.joining(", "));
    return patterns
        ? Text.of("listener.pattern", names.isEmpty() ? "" : names + ", ")
        : Text.plain(names);
  }
}
