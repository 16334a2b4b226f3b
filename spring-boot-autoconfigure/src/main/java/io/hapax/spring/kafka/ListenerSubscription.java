package io.hapax.spring.kafka;

import io.hapax.spring.listener.ListenerDefinition;
import io.hapax.spring.listener.RefusedListenerException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.TopicPartitionOffset;
import org.springframework.util.StringUtils;

/** What a listener reads: no topics for a pattern, no partitions if its group shares them. */
record ListenerSubscription(
    ListenerDefinition settings,
    String group,
    Set<String> topics,
    Set<TopicPartition> assigned,
    Cluster cluster) {

  static ListenerSubscription of(
      ListenerDefinition settings, MessageListenerContainer container, Cluster cluster) {
    TopicPartitionOffset[] given = container.getContainerProperties().getTopicPartitions();
    Set<TopicPartition> assigned = given == null
        ? Set.of()
        : Arrays.stream(given)
            .map(TopicPartitionOffset::getTopicPartition)
            .collect(Collectors.toSet());
    return new ListenerSubscription(
        settings,
        String.valueOf(container.getGroupId()),
        topics(container.getContainerProperties()),
        assigned,
        cluster);
  }

  static Set<String> topics(ContainerProperties container) {
    Set<String> topics = new HashSet<>();
    if (container.getTopics() != null) {
      topics.addAll(Arrays.asList(container.getTopics()));
    }
    if (container.getTopicPartitions() != null) {
      Arrays.stream(container.getTopicPartitions()).forEach(each -> topics.add(each.getTopic()));
    }
    return topics;
  }

  /**
   * Refuses a listener that shares marks with another one, but not the settings these depend on. A
   * second group gets each message, too, but would take those of the first for duplicates. So would
   * a listener of an equal topic of another cluster.
   */
  void requireAgreement(ListenerSubscription other) {
    if (!settings.consumer().equals(other.settings.consumer())) {
      return;
    }
    boolean common = topics.stream().anyMatch(other.topics::contains);
    if ((common || topics.isEmpty() || other.topics.isEmpty()) && !cluster.mayBe(other.cluster)) {
      refuse("bootstrap.servers", cluster.toString(), other.cluster.toString(), other);
    }
    if (common) {
      refuse("id", settings.id(), other.settings.id(), other);
      refuse("fingerprint", settings.fingerprint(), other.settings.fingerprint(), other);
      refuse("mode", settings.mode().toString(), other.settings.mode().toString(), other);
    }
    if (common || topics.isEmpty() || other.topics.isEmpty()) {
      refuse("group", group, other.group, other);
    }
    if (bothGetMessagesOf(other) || other.bothGetMessagesOf(this)) {
      throw refused(
          "it and " + other.settings.listener() + " read the same partition",
          "Set consumer of @Idempotent on one of them, or let them read other partitions.");
    }
  }

  /** Returns whether the other one reads a partition that is assigned to this one. */
  private boolean bothGetMessagesOf(ListenerSubscription other) {
    return assigned.stream()
        .anyMatch(each -> other.assigned.isEmpty()
            ? other.topics.contains(each.topic())
            : other.assigned.contains(each));
  }

  private void refuse(String name, String mine, String theirs, ListenerSubscription other) {
    if (!mine.equals(theirs)) {
      throw refused(
          name + " is '" + mine + "', but '" + theirs + "' on " + other.settings.listener(),
          "Set the same " + name + ", or another consumer name on one of them.");
    }
  }

  private RefusedListenerException refused(String setting, String wayOut) {
    return new RefusedListenerException(
        settings.listener(),
        setting,
        "Both may read a topic of the same name as the consumer " + settings.consumer()
            + ", so they share their marks.",
        wayOut);
  }

  record Cluster(Set<String> servers) {

    static Cluster of(Map<String, Object> properties) {
      Object given = properties.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
      String text = given instanceof Collection<?> several
          ? StringUtils.collectionToCommaDelimitedString(several)
          : String.valueOf(given == null ? "" : given);
      return new Cluster(new TreeSet<>(StringUtils.commaDelimitedListToSet(text.replace(" ", ""))));
    }

    /** Returns whether both are one cluster, as far as they show: they have a server in common. */
    boolean mayBe(Cluster other) {
      return servers.isEmpty()
          || other.servers.isEmpty()
          || !Collections.disjoint(servers, other.servers);
    }

    @Override
    public String toString() {
      return String.join(",", servers);
    }
  }
}
