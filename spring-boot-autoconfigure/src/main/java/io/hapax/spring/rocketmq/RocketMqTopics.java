package io.hapax.spring.rocketmq;

import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.audit.TopicAudit;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.rocketmq.RocketMqOperations;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.rocketmq.Coordinates;
import io.hapax.spring.listener.ListenerDefinition;
import io.hapax.spring.listener.ListenerTopics;
import io.hapax.spring.listener.MessageExpressions;
import io.hapax.spring.listener.Stores;
import io.hapax.store.DedupStore;
import java.util.Optional;
import java.util.Set;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.ListableBeanFactory;

/** The only topic of a container. Operations on it have the client settings of its consumer. */
record RocketMqTopics(
    ListenerDefinition settings,
    DefaultRocketMQListenerContainer container,
    RocketMqFields fields,
    ListableBeanFactory beans)
    implements ListenerTopics {

  @Override
  public String group() {
    return container.getConsumerGroup();
  }

  @Override
  public Set<String> names() {
    return Set.of(container.getTopic());
  }

  @Override
  public boolean reads(String topic) {
    return container.getTopic().equals(topic);
  }

  /** {@inheritDoc} Compares with the queues that the consumer knows, among them that of retries. */
  @Override
  @SuppressWarnings("deprecation") // the client has no other way to its implementation
  public Optional<String> topicOf(String coordinates) {
    return consumer()
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
        .or(() -> Optional.of(MixAll.DLQ_GROUP_TOPIC_PREFIX + group()));
  }

  @Override
  public boolean deadLettersTo(String letters) {
    return deadLetters(container.getTopic()).filter(letters::equals).isPresent();
  }

  @Override
  public String broker() {
    return "rocketmq at " + consumer().getNamesrvAddr();
  }

  @Override
  public <T> T audit(AuditProgress progress, Use<TopicAudit, T> use) throws InterruptedException {
    return use.with(operations().audit(store(), progress));
  }

  @Override
  public <T> T redrive(Use<Redriver, T> use) throws InterruptedException {
    try (Redriver redriver = operations().redriver(store())) {
      return use.with(redriver);
    }
  }

  @Override
  public GroupReplay replay() {
    return operations().replay(group());
  }

  private RocketMqOperations operations() {
    MessageExpressions<MessageExt> expressions = new MessageExpressions<>(fields, beans);
    RocketMqOperations unsigned = RocketMqOperations.of(
        AuditSettings.of(
            settings.consumer(), expressions.id(settings), expressions.fingerprint(settings)),
        consumer());
    return credentials().map(unsigned::withCredentials).orElse(unsigned);
  }

  private DefaultMQPushConsumer consumer() {
    return container.getConsumer();
  }

  private DedupStore store() {
    return new Stores(beans).of(settings);
  }

  /** Returns the credentials of the consumer, for which the client has no getter. */
  @SuppressWarnings("deprecation") // the client has no other way to its implementation
  private Optional<RPCHook> credentials() {
    return Optional.ofNullable(
        (RPCHook) new DirectFieldAccessor(consumer().getDefaultMQPushConsumerImpl())
            .getPropertyValue("rpcHook"));
  }
}
