package io.hapax.bench;

import io.hapax.IdempotentReceiver;
import io.hapax.rocketmq.IdempotentConcurrentListener;
import io.hapax.rocketmq.IdempotentOrderlyListener;
import io.hapax.rocketmq.RocketMqDeadLetterPublisher;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;
import org.apache.rocketmq.common.message.MessageExt;

/** The listener of a subject on its consumer. The user's handler does nothing. */
final class RocketMqListener implements AutoCloseable {

  private static final SetArgs CLAIM = SetArgs.Builder.nx().px(Duration.ofSeconds(30));
  private static final SetArgs KEEP = SetArgs.Builder.px(Duration.ofDays(8));

  private final DefaultMQPushConsumer consumer;
  private final RocketMqServers servers;
  private final RocketMqMeter meter;
  private AutoCloseable ending = () -> {};
  private AutoCloseable after = () -> {};

  RocketMqListener(DefaultMQPushConsumer consumer, RocketMqServers servers, RocketMqMeter meter) {
    this.consumer = consumer;
    this.servers = servers;
    this.meter = meter;
  }

  /** Registers the listener at the consumer. */
  void register(RocketMqSubject subject, boolean orderly) {
    if (orderly) {
      consumer.registerMessageListener(countedInOrder(orderly(subject)));
    } else {
      consumer.registerMessageListener(counted(concurrent(subject)));
    }
  }

  private MessageListenerConcurrently concurrent(RocketMqSubject subject) {
    MessageListenerConcurrently users =
        (messages, context) -> ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    return switch (subject) {
      case BARE -> users;
      case MEMORY -> ending(IdempotentConcurrentListener.wrap(consumer, inMemory(), users));
      case REDIS -> ending(IdempotentConcurrentListener.wrap(consumer, servers.inRedis(), users));
      case POSTGRES -> ending(IdempotentConcurrentListener.of(consumer, transactional()));
      case ONE_BY_ONE ->
        (messages, context) -> {
          messages.forEach(this::once);
          return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        };
    };
  }

  private MessageListenerOrderly orderly(RocketMqSubject subject) {
    MessageListenerOrderly users = (messages, context) -> ConsumeOrderlyStatus.SUCCESS;
    return switch (subject) {
      case BARE -> users;
      case MEMORY -> ending(IdempotentOrderlyListener.wrap(consumer, inMemory(), users));
      case REDIS -> ending(IdempotentOrderlyListener.wrap(consumer, servers.inRedis(), users));
      case POSTGRES -> ending(IdempotentOrderlyListener.of(consumer, transactional()));
      case ONE_BY_ONE ->
        (messages, context) -> {
          messages.forEach(this::once);
          return ConsumeOrderlyStatus.SUCCESS;
        };
    };
  }

  private static DedupStore inMemory() {
    return new InMemoryDedupStore(InstantSource.system(), Messages.RETENTION);
  }

  private IdempotentReceiver<MessageExt> transactional() {
    IdempotentReceiver<MessageExt> receiver = IdempotentReceiver.<MessageExt>builder(
            consumer.getConsumerGroup())
        .id(RocketMqIds.standard())
        .fingerprint(RocketMqFingerprints.body())
        .workers(consumer.getConsumeThreadMax())
        .deadLetters(RocketMqDeadLetterPublisher.of(consumer))
        .transactional(servers.inPostgres(), (connection, deliveries) -> {});
    after = receiver;
    return receiver;
  }

  private void once(MessageExt message) {
    RedisCommands<String, String> redis = servers.connection().sync();
    String key = consumer.getConsumerGroup() + '/' + message.getKeys();
    if (redis.set(key, "PROCESSING", CLAIM) == null) {
      throw new IllegalStateException("a fresh message is known: " + key);
    }
    redis.set(key, "DONE", KEEP);
  }

  private MessageListenerConcurrently counted(MessageListenerConcurrently inner) {
    return (messages, context) -> {
      if (!meter.begin()) {
        return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
      }
      ConsumeConcurrentlyStatus status = inner.consumeMessage(messages, context);
      if (status == ConsumeConcurrentlyStatus.CONSUME_SUCCESS) {
        meter.done(acknowledged(messages, context.getAckIndex()));
      }
      return status;
    };
  }

  private static int acknowledged(List<MessageExt> messages, int ackIndex) {
    return ackIndex >= messages.size() ? messages.size() : ackIndex + 1;
  }

  private MessageListenerOrderly countedInOrder(MessageListenerOrderly inner) {
    return (messages, context) -> {
      if (!meter.begin()) {
        return ConsumeOrderlyStatus.SUCCESS;
      }
      ConsumeOrderlyStatus status = inner.consumeMessage(messages, context);
      if (status == ConsumeOrderlyStatus.SUCCESS) {
        meter.done(messages.size());
      }
      return status;
    };
  }

  private <L extends AutoCloseable> L ending(L listener) {
    ending = listener;
    return listener;
  }

  /** Closes the listener and the consumer. */
  @Override
  public void close() throws Exception {
    consumer.suspend();
    ending.close();
    consumer.shutdown();
    after.close();
  }
}
