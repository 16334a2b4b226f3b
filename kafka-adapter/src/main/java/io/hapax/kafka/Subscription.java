package io.hapax.kafka;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;

/** What a consumer reads. */
sealed interface Subscription {

  void begin(Consumer<?, ?> consumer, ConsumerRebalanceListener listener);

  Collection<String> among(Set<String> existing);

  default Set<TopicPartition> partitions() {
    return Set.of();
  }

  String setting();

  record Topics(List<String> names) implements Subscription {

    public Topics {
      if (names.isEmpty()) {
        throw new IllegalArgumentException("topics is empty but must name at least one topic");
      }
      names = List.copyOf(names);
    }

    @Override
    public void begin(Consumer<?, ?> consumer, ConsumerRebalanceListener listener) {
      consumer.subscribe(names, listener);
    }

    @Override
    public Collection<String> among(Set<String> existing) {
      return names;
    }

    @Override
    public String setting() {
      return "topics";
    }

    @Override
    public String toString() {
      return names.toString();
    }
  }

  /** Topics whose names match, also later ones; the group assigns their partitions. */
  record Matching(Pattern pattern) implements Subscription {

    @Override
    public void begin(Consumer<?, ?> consumer, ConsumerRebalanceListener listener) {
      consumer.subscribe(pattern, listener);
    }

    @Override
    public Collection<String> among(Set<String> existing) {
      return existing.stream().filter(it -> pattern.matcher(it).matches()).toList();
    }

    @Override
    public String setting() {
      return "topicPattern";
    }

    @Override
    public String toString() {
      return pattern.toString();
    }
  }

  /** Partitions that the consumer has from its start on. The group only keeps their offsets. */
  record Partitions(Set<TopicPartition> partitions) implements Subscription {

    public Partitions {
      if (partitions.isEmpty()) {
        throw new IllegalArgumentException(
            "partitions is empty but must name at least one partition");
      }
      partitions = Set.copyOf(partitions);
    }

    @Override
    public void begin(Consumer<?, ?> consumer, ConsumerRebalanceListener listener) {
      consumer.assign(partitions);
      listener.onPartitionsAssigned(partitions); // the client does not call it for an assignment
    }

    @Override
    public Collection<String> among(Set<String> existing) {
      Set<String> topics = new TreeSet<>();
      partitions.forEach(it -> topics.add(it.topic()));
      return topics;
    }

    @Override
    public String setting() {
      return "partitions";
    }

    @Override
    public String toString() {
      return partitions.toString();
    }
  }
}
