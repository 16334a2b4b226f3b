package io.hapax.spring.rocketmq;

import io.hapax.DeadLetterPublisher;
import io.hapax.IdempotentReceiver;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import io.hapax.rocketmq.RocketMqAttachment;
import io.hapax.rocketmq.RocketMqDeadLetterPublisher;
import io.hapax.rocketmq.RocketMqReceiver;
import io.hapax.spring.listener.ListenerCode;
import io.hapax.spring.listener.ListenerDefinition;
import io.hapax.spring.listener.ListenerSettingsResolver;
import io.hapax.spring.listener.ListenerTopics;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.spring.listener.Receivers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.spring.annotation.ConsumeMode;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/** Attaches receivers to containers, checks groups after the start, and drains before the stop. */
public final class RocketMqListeners
    implements SmartLifecycle, ProblemSource, ListenerTopics.Source {

  private static final int BATCH_SIZE = 32;
  private static final int MOST_WORKERS = 1_000;
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration MARGIN = Duration.ofSeconds(1);

  private record Attached(
      DefaultRocketMQListenerContainer container,
      ContainerChecks checks,
      ListenerTopics topics,
      RocketMqAttachment attachment,
      Problems ended) {

    String consumer() {
      return topics.settings().consumer();
    }

    List<Problem> problems(boolean started) {
      ended.replaceAll(
          started && !container.isRunning()
              ? List.of(new Problems.Found(
                  Problem.Kind.RECEIVER_DOWN,
                  "",
                  "the container of " + consumer() + " has ended or was stopped: it receives no"
                      + " message until the application is started again"))
              : List.of());
      return Problems.join(attachment.problems(), ended.list());
    }
  }

  private final ConfigurableListableBeanFactory beans;
  private final ListenerSettingsResolver resolver;
  private final Receivers receivers;
  private final List<Attached> attached = new CopyOnWriteArrayList<>();
  private volatile boolean running;

  public RocketMqListeners(
      ConfigurableListableBeanFactory beans,
      ListenerSettingsResolver resolver,
      Receivers receivers) {
    this.beans = beans;
    this.resolver = resolver;
    this.receivers = receivers;
  }

  /** Attaches before the start of a container, which is a bean that rocketmq-spring makes. */
  public static BeanPostProcessor attaching(BeanFactory beans) {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof DefaultRocketMQListenerContainer container) {
          ListenerBean.of(container)
              .ifPresent(
                  it -> beans.getBean(RocketMqListeners.class).attach(beanName, container, it));
        }
        return bean;
      }
    };
  }

  void attach(String bean, DefaultRocketMQListenerContainer container, ListenerBean listener) {
    DefaultMQPushConsumer consumer = container.getConsumer();
    ListenerDefinition settings = resolver.resolve(
        listener.name(), listener.annotation(), RocketMqReceiver.consumerName(consumer));
    ContainerChecks checks = new ContainerChecks(container, listener, settings);
    checks.refuseUnsafe();
    attached.forEach(each -> checks.refuseSharing(each.checks()));
    checks.warn();
    Duration drainTimeout =
        Objects.requireNonNullElse(settings.tuning().drainTimeout(), DRAIN_TIMEOUT);
    prepare(consumer, drainTimeout);
    RocketMqFields fields = new RocketMqFields(new Payloads(container, listener)::of);
    IdempotentReceiver<MessageExt> receiver = receivers.open(
        settings,
        fields,
        new ListenerCode.Each<>(
            delivery -> container.handleMessage(RocketMqReceiver.messageOf(delivery))),
        Optional.of(deadLetters(settings, container)),
        builder -> builder.workers(workers(consumer)));
    attached.add(new Attached(
        container,
        checks,
        new RocketMqTopics(settings, container, fields, beans),
        attachment(receiver, container, drainTimeout, checks),
        new Problems(receiver.port().clock())));
    orderShutdown(bean);
  }

  /** The messages of a call share a call to the store, and a shutdown waits for handlers. */
  private static void prepare(DefaultMQPushConsumer consumer, Duration drainTimeout) {
    if (consumer.getConsumeMessageBatchMaxSize() == 1) {
      consumer.setConsumeMessageBatchMaxSize(BATCH_SIZE);
    }
    consumer.setAwaitTerminationMillisWhenShutdown(Math.max(
        consumer.getAwaitTerminationMillisWhenShutdown(),
        drainTimeout.plus(MARGIN).toMillis()));
  }

  /** The client starts no more threads than the minimum, because its queue has no bound. */
  private static int workers(DefaultMQPushConsumer consumer) {
    return Math.max(1, Math.min(MOST_WORKERS, consumer.getConsumeThreadMin()));
  }

  private static DeadLetterPublisher<MessageExt> deadLetters(
      ListenerDefinition settings, DefaultRocketMQListenerContainer container) {
    DefaultMQPushConsumer consumer = container.getConsumer();
    return settings
        .deadLetterTopic(container.getTopic())
        .map(topic -> RocketMqDeadLetterPublisher.to(topic, consumer))
        .orElseGet(() -> RocketMqDeadLetterPublisher.of(consumer));
  }

  private static RocketMqAttachment attachment(
      IdempotentReceiver<MessageExt> receiver,
      DefaultRocketMQListenerContainer container,
      Duration drainTimeout,
      ContainerChecks checks) {
    try {
      RocketMqReceiver.Builder builder =
          RocketMqReceiver.builder(receiver, container.getConsumer()).drainTimeout(drainTimeout);
      if (container.getConsumeMode() == ConsumeMode.ORDERLY) {
        builder.orderly();
      }
      return builder.attach();
    } catch (IllegalArgumentException | MQClientException e) {
      throw checks.refusedByAdapter(e);
    }
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

  @Override
  public List<ListenerTopics> topics() {
    return attached.stream().map(Attached::topics).toList();
  }

  @Override
  public Map<String, List<Problem>> problemsByName() {
    Map<String, List<Problem>> problems = new TreeMap<>();
    attached.forEach(each -> problems
        .computeIfAbsent(each.consumer(), name -> new ArrayList<>())
        .addAll(each.problems(running)));
    return problems;
  }

  /** Fails if brokers would lose messages or do not answer, or refuse a dead-letter topic. */
  @Override
  public void start() {
    running = true;
    for (Attached each : attached) {
      try {
        each.attachment().requireSafeGroup();
      } catch (MQClientException e) {
        throw new IllegalStateException("the checks at start failed: " + e.getErrorMessage(), e);
      }
    }
  }

  @Override
  public void stop() {
    List<Thread> draining = attached.stream()
        .map(it -> new Thread(it.attachment()::drain, "hapax-rocketmq-draining"))
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
