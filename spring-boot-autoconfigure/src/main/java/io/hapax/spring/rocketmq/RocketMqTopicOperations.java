package io.hapax.spring.rocketmq;

import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.audit.TopicAudit;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.rocketmq.RocketMqOperations;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.spring.listener.ListenerSettings;
import io.hapax.spring.listener.MessageExpressions;
import io.hapax.spring.listener.Stores;
import io.hapax.spring.listener.TopicOperations;
import io.hapax.store.DedupStore;
import java.util.Optional;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.ListableBeanFactory;

/** Operations on the topic of a container, with the client settings of its consumer. */
final class RocketMqTopicOperations implements TopicOperations {

  private final ListenerSettings settings;
  private final DefaultRocketMQListenerContainer container;
  private final RocketMqFields fields;
  private final ListableBeanFactory beans;

  RocketMqTopicOperations(
      ListenerSettings settings,
      DefaultRocketMQListenerContainer container,
      RocketMqFields fields,
      ListableBeanFactory beans) {
    this.settings = settings;
    this.container = container;
    this.fields = fields;
    this.beans = beans;
  }

  @Override
  public String broker() {
    return "rocketmq at " + consumer().getNamesrvAddr();
  }

  @Override
  public TopicAudit audit(AuditProgress progress) {
    return operations().audit(store(), progress);
  }

  @Override
  public Redriver redriver() {
    return operations().redriver(store());
  }

  @Override
  public GroupReplay group() {
    return operations().replay(container.getConsumerGroup());
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
