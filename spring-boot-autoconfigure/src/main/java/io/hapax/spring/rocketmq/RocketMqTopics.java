package io.hapax.spring.rocketmq;

import io.hapax.IdExtractor;
import io.hapax.audit.AuditProgress;
import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveSettings;
import io.hapax.rocketmq.RocketMqAudit;
import io.hapax.rocketmq.RocketMqRedriver;
import io.hapax.spring.listener.ListenerSettings;
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
import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.ListableBeanFactory;

/** The only topic of a container. */
final class RocketMqTopics implements ListenerTopics {

  private final ListenerSettings settings;
  private final DefaultRocketMQListenerContainer container;
  private final RocketMqFields fields;
  private final ListableBeanFactory beans;

  RocketMqTopics(
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
  public String consumer() {
    return settings.consumer();
  }

  @Override
  public Set<String> names() {
    return Set.of(container.getTopic());
  }

  @Override
  public boolean reads(String topic) {
    return container.getTopic().equals(topic);
  }

  @Override
  public AuditReport audit(String topic, StartingPoint from, AuditProgress progress)
      throws InterruptedException {
    MessageExpressions<MessageExt> expressions = new MessageExpressions<>(fields, beans);
    AuditSettings<MessageExt> reading = AuditSettings.of(
        settings.consumer(), expressions.id(settings), expressions.fingerprint(settings));
    RocketMqAudit audit =
        RocketMqAudit.of(store(), reading, container.getConsumer()).withProgress(progress);
    RPCHook credentials = credentials();
    return (credentials == null ? audit : audit.withCredentials(credentials))
        .run(TopicPart.all(topic), from);
  }

  /** Without a topic in the settings it is the group's own. */
  @Override
  public Optional<String> deadLetters(String topic) {
    return settings
        .deadLetterTopic(topic)
        .or(() -> Optional.of(MixAll.DLQ_GROUP_TOPIC_PREFIX + container.getConsumerGroup()));
  }

  @Override
  public RedriveReport redrive(
      String topic, StartingPoint from, DeadLetterSelection which, boolean executes)
      throws InterruptedException {
    TopicPart letters = TopicPart.all(deadLetters(topic).orElseThrow());
    try (RocketMqRedriver redriver = redriver(RedriveSettings.to(topic))) {
      return executes
          ? redriver.redrive(letters, from, which)
          : redriver.plan(letters, from, which);
    }
  }

  private RocketMqRedriver redriver(RedriveSettings rules) {
    IdExtractor<MessageExt> ids = new MessageExpressions<>(fields, beans).id(settings);
    DefaultMQPushConsumer like = container.getConsumer();
    RPCHook credentials = credentials();
    return credentials == null
        ? RocketMqRedriver.of(store(), settings.consumer(), ids, rules, like)
        : RocketMqRedriver.of(store(), settings.consumer(), ids, rules, like, credentials);
  }

  private DedupStore store() {
    return new Stores(beans).of(settings);
  }

  /** Returns the credentials of the consumer, for which the client has no getter. */
  @SuppressWarnings("deprecation") // the client has no other way to its implementation
  private @Nullable RPCHook credentials() {
    return (RPCHook) new DirectFieldAccessor(container.getConsumer().getDefaultMQPushConsumerImpl())
        .getPropertyValue("rpcHook");
  }
}
