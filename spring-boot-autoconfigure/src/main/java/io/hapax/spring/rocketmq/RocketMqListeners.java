package io.hapax.spring.rocketmq;

import io.hapax.DeadLetterPublisher;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.health.Problem;
import io.hapax.rocketmq.RocketMqAttachment;
import io.hapax.rocketmq.RocketMqDeadLetterPublisher;
import io.hapax.rocketmq.RocketMqReceiver;
import io.hapax.spring.listener.ListenerCode;
import io.hapax.spring.listener.ListenerSettings;
import io.hapax.spring.listener.ListenerSettingsResolver;
import io.hapax.spring.listener.ListenerTopics;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.spring.listener.ReceiverCustomizer;
import io.hapax.spring.listener.Receivers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.spring.annotation.ConsumeMode;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.Ordered;

/**
 * Attaches receivers to the consumers of rocketmq-spring's containers. It checks the groups after
 * the containers have started. Before they stop, it stops the intake and waits for handlers.
 */
public final class RocketMqListeners
    implements SmartLifecycle, ReceiverCustomizer, ProblemSource, ListenerTopics.Source, Ordered {

  private final ConfigurableListableBeanFactory beans;
  private final ListenerSettingsResolver resolver;
  private final Receivers receivers;
  private final List<RocketMqAttachment> attachments = new CopyOnWriteArrayList<>();
  private final Map<RocketMqAttachment, String> consumers = new ConcurrentHashMap<>();
  private final List<ListenerTopics> topics = new CopyOnWriteArrayList<>();
  private final List<ContainerChecks> attached = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> workers = new ConcurrentHashMap<>();
  private final Map<DefaultRocketMQListenerContainer, EndedContainer> containers =
      new ConcurrentHashMap<>();
  private volatile boolean running;

  public RocketMqListeners(
      ConfigurableListableBeanFactory beans,
      ListenerSettingsResolver resolver,
      Receivers receivers) {
    this.beans = beans;
    this.resolver = resolver;
    this.receivers = receivers;
  }

  /**
   * Lets a receiver answer for the messages of a container that has not started.
   *
   * @throws io.hapax.spring.listener.RefusedListenerException if the listener, its container or its
   *     settings cannot be made safe
   */
  void attach(String bean, DefaultRocketMQListenerContainer container, ListenerBean listener) {
    DefaultMQPushConsumer consumer = container.getConsumer();
    ListenerSettings settings = resolver.resolve(
        listener.name(), listener.annotation(), RocketMqReceiver.consumerName(consumer));
    ContainerChecks checks = new ContainerChecks(container, listener, settings);
    checks.refuseUnsafe();
    attached.forEach(checks::refuseSharing);
    attached.add(checks);
    checks.warn();
    ConsumerTuning tuning = new ConsumerTuning(consumer, settings);
    tuning.prepare();
    workers.put(settings.listener(), tuning.workers());
    RocketMqFields fields = new RocketMqFields(new Payloads(container, listener)::of);
    IdempotentReceiver<MessageExt> receiver = receivers.open(
        settings,
        fields,
        new ListenerCode.Each<>(
            delivery -> container.handleMessage(RocketMqReceiver.messageOf(delivery))),
        Optional.of(deadLetters(settings, container)));
    RocketMqAttachment attachment = checks.attached(() -> attachment(receiver, container, tuning));
    attachments.add(attachment);
    consumers.put(attachment, settings.consumer());
    containers.put(container, new EndedContainer(settings.consumer(), receiver.clock()));
    topics.add(new RocketMqTopics(
        settings, container, new RocketMqTopicOperations(settings, container, fields, beans)));
    orderShutdown(bean);
  }

  /** Lets as many listeners run at once as the client has threads. */
  @Override
  public void customize(ListenerSettings settings, ReceiverBuilder<?> builder) {
    Optional.ofNullable(workers.get(settings.listener())).ifPresent(builder::workers);
  }

  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE; // customizers of the application come after this one
  }

  private static DeadLetterPublisher<MessageExt> deadLetters(
      ListenerSettings settings, DefaultRocketMQListenerContainer container) {
    DefaultMQPushConsumer consumer = container.getConsumer();
    return settings
        .deadLetterTopic(container.getTopic())
        .map(topic -> RocketMqDeadLetterPublisher.to(topic, consumer))
        .orElseGet(() -> RocketMqDeadLetterPublisher.of(consumer));
  }

  private static RocketMqAttachment attachment(
      IdempotentReceiver<MessageExt> receiver,
      DefaultRocketMQListenerContainer container,
      ConsumerTuning tuning)
      throws MQClientException {
    RocketMqReceiver.Builder builder = RocketMqReceiver.builder(receiver, container.getConsumer())
        .drainTimeout(tuning.drainTimeout());
    if (container.getConsumeMode() == ConsumeMode.ORDERLY) {
      builder.orderly();
    }
    return builder.attach();
  }

  /** This object drains before the container shuts down, and the receivers close after it. */
  private void orderShutdown(String container) {
    for (String own : beans.getBeanNamesForType(RocketMqListeners.class)) {
      beans.registerDependentBean(container, own);
    }
    for (String closing : beans.getBeanNamesForType(Receivers.class)) {
      beans.registerDependentBean(closing, container);
    }
  }

  /** Returns why messages do not move: the problems of the consumers, groups and receivers. */
  public List<Problem> problems() {
    return attachments.stream().flatMap(it -> it.problems().stream()).toList();
  }

  @Override
  public List<ListenerTopics> topics() {
    return topics;
  }

  @Override
  public Map<String, List<Problem>> problemsByName() {
    Map<String, List<Problem>> problems = new TreeMap<>();
    consumers.forEach((attachment, consumer) -> problems
        .computeIfAbsent(consumer, name -> new ArrayList<>())
        .addAll(attachment.problems()));
    containers.forEach((container, ended) -> problems
        .computeIfAbsent(ended.consumer(), name -> new ArrayList<>())
        .addAll(ended.problems(running && !container.isRunning())));
    return problems;
  }

  /**
   * Checks the groups of all containers, which have started.
   *
   * @throws IllegalArgumentException if the brokers would lose messages of a group
   * @throws IllegalStateException if a dead-letter topic cannot be created, or the brokers do not
   *     answer
   */
  @Override
  public void start() {
    running = true;
    for (RocketMqAttachment attachment : attachments) {
      try {
        attachment.requireSafeGroup();
      } catch (MQClientException e) {
        throw new IllegalStateException("the checks at start failed: " + e.getErrorMessage(), e);
      }
    }
  }

  @Override
  public void stop() {
    List<Thread> draining = attachments.stream()
        .map(it -> new Thread(it::drain, "hapax-rocketmq-draining"))
        .toList();
    draining.forEach(Thread::start);
    try {
      for (Thread each : draining) {
        each.join(); // it ends within its drain timeout
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the containers wait on their own
    }
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
