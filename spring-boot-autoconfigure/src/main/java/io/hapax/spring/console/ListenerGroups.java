package io.hapax.spring.console;

import io.hapax.console.figures.GroupFigures;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.replay.GroupStatus;
import io.hapax.spring.listener.ListenerTopics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Adds the lags of all topics that the listeners name. Keeps its connections open. */
final class ListenerGroups implements GroupFigures.Group {

  private final ConsumerTopics topics;
  private final Map<Key, GroupReplay> connections = new HashMap<>();

  ListenerGroups(ConsumerTopics topics) {
    this.topics = topics;
  }

  /** A group of a broker: groups of two brokers may have the same name. */
  private record Key(String broker, String group) {}

  private record Part(Key group, String topic) {}

  @Override
  public Optional<GroupStatus> status() throws InterruptedException {
    Map<Key, Integer> members = new HashMap<>();
    Set<Part> counted = new HashSet<>();
    long lag = 0;
    for (ListenerTopics listener : topics.all()) {
      Key key = new Key(listener.broker(), listener.group());
      for (String topic : listener.names()) {
        if (counted.add(new Part(key, topic))) {
          Optional<GroupStatus> status = status(connected(key, listener), topic);
          lag += status.map(GroupStatus::lag).orElse(0L);
          status.ifPresent(it -> members.put(key, it.members()));
        }
      }
    }
    int all = members.values().stream().mapToInt(Integer::intValue).sum();
    return members.isEmpty() ? Optional.empty() : Optional.of(new GroupStatus(lag, all));
  }

  /** Returns nothing if there is no topic yet, or no group: its partitions are assigned. */
  private static Optional<GroupStatus> status(GroupReplay group, String topic)
      throws InterruptedException {
    try {
      return Optional.of(group.status(topic));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private GroupReplay connected(Key key, ListenerTopics listener) {
    return connections.computeIfAbsent(key, it -> listener.replay());
  }

  @Override
  public void close() {
    connections.values().forEach(GroupReplay::close);
  }
}
