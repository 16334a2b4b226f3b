package io.hapax.spring.rocketmq;

import io.hapax.rocketmq.Coordinates;
import io.hapax.spring.listener.ListenerSettings;
import io.hapax.spring.listener.ListenerTopics;
import io.hapax.spring.listener.TopicOperations;
import java.util.Optional;
import java.util.Set;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;

/** The only topic of a container. */
final class RocketMqTopics implements ListenerTopics {

  private final ListenerSettings settings;
  private final DefaultRocketMQListenerContainer container;
  private final TopicOperations operations;

  RocketMqTopics(
      ListenerSettings settings,
      DefaultRocketMQListenerContainer container,
      TopicOperations operations) {
    this.settings = settings;
    this.container = container;
    this.operations = operations;
  }

  @Override
  public String consumer() {
    return settings.consumer();
  }

  @Override
  public String group() {
    return container.getConsumerGroup();
  }

  @Override
  public boolean shadow() {
    return settings.shadow();
  }

  @Override
  public Set<String> names() {
    return Set.of(container.getTopic());
  }

  @Override
  public boolean reads(String topic) {
    return container.getTopic().equals(topic);
  }

  /**
   * {@inheritDoc}
   *
   * <p>A message that was sent back lies in the retry topic of the group. Compares with the queues
   * that the consumer knows, because a place does not show where the name of its topic ends.
   */
  @Override
  @SuppressWarnings("deprecation") // the client has no other way to its implementation
  public Optional<String> topicOf(String coordinates) {
    return container
            .getConsumer()
            .getDefaultMQPushConsumerImpl()
            .getRebalanceImpl()
            .getTopicSubscribeInfoTable()
            .values()
            .stream()
            .flatMap(Set::stream)
            .anyMatch(queue -> coordinates.startsWith(Coordinates.queueName(queue) + '@'))
        ? Optional.of(container.getTopic())
        : Optional.empty();
  }

  /** Without a topic in the settings it is the group's own. */
  @Override
  public Optional<String> deadLetters(String topic) {
    return settings
        .deadLetterTopic(topic)
        .or(() -> Optional.of(MixAll.DLQ_GROUP_TOPIC_PREFIX + container.getConsumerGroup()));
  }

  @Override
  public boolean deadLettersTo(String letters) {
    return deadLetters(container.getTopic()).filter(letters::equals).isPresent();
  }

  @Override
  public TopicOperations operations() {
    return operations;
  }
}
