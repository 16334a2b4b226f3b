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
import io.hapax.spring.listener.ListenerTopics;
import io.hapax.spring.listener.Receivers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.spring.annotation.ConsumeMode;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.springframework.beans.factory.ListableBeanFactory;

/** A container whose consumer hands its messages to a receiver, which calls the listener. */
record AttachedContainer(
    ContainerChecks checks, ListenerTopics topics, RocketMqAttachment attachment, Problems ended) {

  private static final int BATCH_SIZE = 32;
  private static final int MOST_WORKERS = 1_000;
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration MARGIN = Duration.ofSeconds(1);

  static AttachedContainer of(
      ContainerChecks checks, Receivers receivers, ListableBeanFactory beans) {
    DefaultRocketMQListenerContainer container = checks.container();
    ListenerDefinition settings = checks.settings();
    Duration drainTimeout =
        Objects.requireNonNullElse(settings.tuning().drainTimeout(), DRAIN_TIMEOUT);
    prepare(container.getConsumer(), drainTimeout);
    RocketMqFields fields = new RocketMqFields(new Payloads(container, checks.listener())::of);
    IdempotentReceiver<MessageExt> receiver = receivers.open(
        settings,
        fields,
        new ListenerCode.Each<>(
            delivery -> container.handleMessage(RocketMqReceiver.messageOf(delivery))),
        Optional.of(deadLetters(settings, container)),
        builder -> builder.workers(workers(container.getConsumer())));
    return new AttachedContainer(
        checks,
        new RocketMqTopics(settings, container, fields, beans),
        attachment(receiver, drainTimeout, checks),
        new Problems(receiver.port().clock()));
  }

  /** Lets the messages of a call share a call to the store, and a shutdown wait for handlers. */
  private static void prepare(DefaultMQPushConsumer consumer, Duration drainTimeout) {
    if (consumer.getConsumeMessageBatchMaxSize() == 1) {
      consumer.setConsumeMessageBatchMaxSize(BATCH_SIZE);
    }
    consumer.setAwaitTerminationMillisWhenShutdown(Math.max(
        consumer.getAwaitTerminationMillisWhenShutdown(),
        drainTimeout.plus(MARGIN).toMillis()));
  }

  /** Returns the minimum of threads: the client starts no more, because its queue has no bound. */
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
      IdempotentReceiver<MessageExt> receiver, Duration drainTimeout, ContainerChecks checks) {
    DefaultRocketMQListenerContainer container = checks.container();
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

  String consumer() {
    return topics.settings().consumer();
  }

  List<Problem> problems(boolean started) {
    ended.replaceAll(
        started && !checks.container().isRunning()
            ? List.of(new Problems.Found(
                Problem.Kind.RECEIVER_DOWN,
                "",
                "the container of " + consumer() + " has ended or was stopped: it receives no"
                    + " message until the application is started again"))
            : List.of());
    return Problems.join(attachment.problems(), ended.list());
  }
}
