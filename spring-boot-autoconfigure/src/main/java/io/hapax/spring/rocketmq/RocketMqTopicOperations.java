package io.hapax.spring.rocketmq;

import io.hapax.IdExtractor;
import io.hapax.audit.AuditProgress;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.GroupReplay;
import io.hapax.audit.TopicAudit;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveSettings;
import io.hapax.redrive.Redriver;
import io.hapax.rocketmq.RocketMqAudit;
import io.hapax.rocketmq.RocketMqRedelivery;
import io.hapax.rocketmq.RocketMqRedriver;
import io.hapax.rocketmq.RocketMqReplay;
import io.hapax.spring.listener.ListenerSettings;
import io.hapax.spring.listener.MessageExpressions;
import io.hapax.spring.listener.Stores;
import io.hapax.spring.listener.TopicOperations;
import io.hapax.store.DedupStore;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.jspecify.annotations.Nullable;
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
    AuditSettings<MessageExt> reading =
        AuditSettings.of(settings.consumer(), ids(), expressions().fingerprint(settings));
    RocketMqAudit audit = RocketMqAudit.of(store(), reading, consumer()).withProgress(progress);
    RPCHook credentials = credentials();
    return credentials == null ? audit : audit.withCredentials(credentials);
  }

  @Override
  public Redriver redriver(RedriveSettings rules) {
    RPCHook credentials = credentials();
    String name = settings.consumer();
    return credentials == null
        ? RocketMqRedriver.of(store(), name, ids(), rules, consumer())
        : RocketMqRedriver.of(store(), name, ids(), rules, consumer(), credentials);
  }

  @Override
  public Redelivery redelivery(MarkOperations marks) {
    RPCHook credentials = credentials();
    return credentials == null
        ? RocketMqRedelivery.of(marks, ids(), consumer())
        : RocketMqRedelivery.of(marks, ids(), consumer(), credentials);
  }

  @Override
  public GroupReplay group() {
    RPCHook credentials = credentials();
    String group = container.getConsumerGroup();
    return credentials == null
        ? RocketMqReplay.of(consumer(), group)
        : RocketMqReplay.of(consumer(), credentials, group);
  }

  private DefaultMQPushConsumer consumer() {
    return container.getConsumer();
  }

  private MessageExpressions<MessageExt> expressions() {
    return new MessageExpressions<>(fields, beans);
  }

  private IdExtractor<MessageExt> ids() {
    return expressions().id(settings);
  }

  private DedupStore store() {
    return new Stores(beans).of(settings);
  }

  /** Returns the credentials of the consumer, for which the client has no getter. */
  @SuppressWarnings("deprecation") // the client has no other way to its implementation
  private @Nullable RPCHook credentials() {
    return (RPCHook) new DirectFieldAccessor(consumer().getDefaultMQPushConsumerImpl())
        .getPropertyValue("rpcHook");
  }
}
