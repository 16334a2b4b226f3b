package io.hapax.spring.kafka;

import io.hapax.kafka.KafkaTopicCheck;
import io.hapax.spring.listener.ListenerSettings;
import io.hapax.spring.listener.ListenerTopics;
import io.hapax.spring.listener.Stores;
import io.hapax.spring.listener.TopicOperations;
import io.hapax.store.DedupStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.springframework.beans.factory.ListableBeanFactory;

/** The topics of a listener. */
final class KafkaTopics implements ListenerTopics {

  /** A record as the receiver writes it in coordinates: topic, partition and offset. */
  private static final Pattern PLACE = Pattern.compile("(.+)-\\d+@\\d+");

  private final Subscription subscription;
  private final ListenerSettings settings;
  private final ConsumerOverrides consumers;
  private final ListableBeanFactory beans;
  private final TopicOperations operations;

  /** Returns whether Hapax publishes its dead-letter records to a topic. */
  private final boolean ownLetters;

  KafkaTopics(
      Subscription subscription,
      ConsumerOverrides consumers,
      ListableBeanFactory beans,
      TopicOperations operations,
      boolean ownLetters) {
    this.subscription = subscription;
    this.settings = subscription.settings();
    this.consumers = consumers;
    this.beans = beans;
    this.operations = operations;
    this.ownLetters = ownLetters;
  }

  @Override
  public String consumer() {
    return settings.consumer();
  }

  @Override
  public String group() {
    return subscription.group();
  }

  @Override
  public boolean shadow() {
    return settings.shadow();
  }

  @Override
  public Set<String> names() {
    return subscription.topics();
  }

  @Override
  public boolean reads(String topic) {
    return subscription.topics().contains(topic) || consumers.readsByPattern(topic);
  }

  @Override
  public Optional<String> topicOf(String coordinates) {
    Matcher place = PLACE.matcher(coordinates);
    return place.matches() && reads(place.group(1))
        ? Optional.of(place.group(1))
        : Optional.empty();
  }

  @Override
  public Optional<String> deadLetters(String topic) {
    return ownLetters ? settings.deadLetterTopic(topic) : Optional.empty();
  }

  @Override
  public boolean deadLettersTo(String letters) {
    return ownLetters && settings.deadLettersTo(letters, this::reads);
  }

  @Override
  public TopicOperations operations() {
    return operations;
  }

  /** Returns the properties of the connection to the brokers. */
  Map<String, Object> connection() {
    Map<String, Object> properties = consumers.effective();
    properties.keySet().retainAll(AdminClientConfig.configNames());
    properties.remove(AdminClientConfig.CLIENT_ID_CONFIG);
    return properties;
  }

  /**
   * Returns warnings about the topics, whose listener starts all the same.
   *
   * @throws KafkaException if the brokers do not answer
   */
  List<String> warnings(KafkaTopicCheck check) {
    List<String> warnings = new ArrayList<>();
    Set<String> names = new TreeSet<>(subscription.topics());
    names.removeAll(check.missing(names)); // Spring reports them
    for (String name : names) {
      deadLetters(name)
          .filter(letters -> !check.missing(Set.of(letters)).isEmpty())
          .ifPresent(letters -> warnings.add(settings.deadLettersSetting() + " is '"
              + settings.deadLetters().orElse("") + "', but topic " + letters
              + " does not exist: a message of " + name + " that fails for good will block its"
              + " partition until you create it"));
    }
    DedupStore store = new Stores(beans).of(settings);
    check
        .replayWarnings(names, store.retention())
        .forEach(warning -> warnings.add(warning + ". Set hapax.retention above it"));
    return warnings;
  }

  /** Returns the listener, for people. */
  String listener() {
    return settings.listener();
  }
}
