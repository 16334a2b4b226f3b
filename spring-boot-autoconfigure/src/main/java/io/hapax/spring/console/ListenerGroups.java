package io.hapax.spring.console;

import io.hapax.audit.GroupReplay;
import io.hapax.audit.GroupStatus;
import io.hapax.console.figures.GroupFigures;
import io.hapax.spring.listener.ListenerTopics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The groups of the listeners of a consumer. Adds their lags in all topics that the listeners name.
 * Keeps its connections open between two readings.
 */
final class ListenerGroups implements GroupFigures.Group {

  private final ConsumerTopics topics;
  private final Map<String, GroupReplay> connections = new HashMap<>();

  ListenerGroups(ConsumerTopics topics) {
    this.topics = topics;
  }

  @Override
  public Optional<GroupStatus> status() throws InterruptedException {
    Map<String, Integer> members = new HashMap<>();
    Set<String> counted = new HashSet<>();
    long lag = 0;
    try {
      for (ListenerTopics listener : topics.all()) {
        for (String topic : listener.names()) {
          if (counted.add(listener.group() + " " + topic)) {
            GroupStatus status = connected(listener).status(topic);
            lag += status.lag();
            members.put(listener.group(), status.members());
          }
        }
      }
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // there is no topic yet, or no group: its partitions are assigned
    }
    int all = members.values().stream().mapToInt(Integer::intValue).sum();
    return members.isEmpty() ? Optional.empty() : Optional.of(new GroupStatus(lag, all));
  }

  private GroupReplay connected(ListenerTopics listener) {
    return connections.computeIfAbsent(
        listener.group(), it -> listener.operations().group());
  }

  @Override
  public void close() {
    connections.values().forEach(GroupReplay::close);
  }
}
