package io.hapax.bench;

import io.hapax.IdempotentReceiver;
import io.hapax.rocketmq.IdempotentConcurrentListener;
import io.hapax.rocketmq.IdempotentOrderlyListener;
import io.hapax.rocketmq.RocketMqDeadLetterPublisher;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.store.DedupStore;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
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
  private final Servers servers;
  private final RocketMqMeter meter;
  private AutoCloseable ending = () -> {};
  private AutoCloseable after = () -> {};

  RocketMqListener(DefaultMQPushConsumer consumer, Servers servers, RocketMqMeter meter) {
    this.consumer = consumer;
    this.servers = servers;
    this.meter = meter;
  }

  /** Registers the listener at the consumer. */
  void register(RocketMqCommand.Subject subject, boolean orderly) throws SQLException {
    Consumer<List<MessageExt>> handler =
        subject == RocketMqCommand.Subject.ONE_BY_ONE ? oneByOne() : messages -> {};
    if (orderly) {
      consumer.registerMessageListener(countedInOrder(orderly(subject, handler)));
    } else {
      consumer.registerMessageListener(counted(concurrent(subject, handler)));
    }
  }

  private MessageListenerConcurrently concurrent(
      RocketMqCommand.Subject subject, Consumer<List<MessageExt>> handler) throws SQLException {
    MessageListenerConcurrently users = (messages, context) -> {
      handler.accept(messages);
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    };
    return switch (subject) {
      case BARE, ONE_BY_ONE -> users;
      case MEMORY, REDIS ->
        ending(IdempotentConcurrentListener.wrap(consumer, store(subject), users));
      case POSTGRES -> ending(IdempotentConcurrentListener.of(consumer, transactional()));
    };
  }

  private MessageListenerOrderly orderly(
      RocketMqCommand.Subject subject, Consumer<List<MessageExt>> handler) throws SQLException {
    MessageListenerOrderly users = (messages, context) -> {
      handler.accept(messages);
      return ConsumeOrderlyStatus.SUCCESS;
    };
    return switch (subject) {
      case BARE, ONE_BY_ONE -> users;
      case MEMORY, REDIS -> ending(IdempotentOrderlyListener.wrap(consumer, store(subject), users));
      case POSTGRES -> ending(IdempotentOrderlyListener.of(consumer, transactional()));
    };
  }

  private DedupStore store(RocketMqCommand.Subject subject) throws SQLException {
    return servers.store(
        subject == RocketMqCommand.Subject.REDIS ? StoreKind.REDIS : StoreKind.MEMORY);
  }

  private IdempotentReceiver<MessageExt> transactional() throws SQLException {
    IdempotentReceiver<MessageExt> receiver = IdempotentReceiver.<MessageExt>builder(
            consumer.getConsumerGroup())
        .id(RocketMqIds.standard())
        .fingerprint(RocketMqFingerprints.body())
        .workers(consumer.getConsumeThreadMax())
        .deadLetters(RocketMqDeadLetterPublisher.of(consumer))
        .transactional(servers.postgres().store(), (connection, deliveries) -> {});
    after = receiver;
    return receiver;
  }

  private Consumer<List<MessageExt>> oneByOne() {
    StatefulRedisConnection<String, String> connection =
        servers.redis().client().connect();
    after = connection;
    RedisCommands<String, String> redis = connection.sync();
    return messages -> messages.forEach(message -> {
      String key = consumer.getConsumerGroup() + '/' + message.getKeys();
      if (redis.set(key, "PROCESSING", CLAIM) == null) {
        throw new IllegalStateException("a fresh message is known: " + key);
      }
      redis.set(key, "DONE", KEEP);
    });
  }

  private MessageListenerConcurrently counted(MessageListenerConcurrently inner) {
    return (messages, context) -> {
      if (!meter.begin()) {
        return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
      }
      ConsumeConcurrentlyStatus status = inner.consumeMessage(messages, context);
      if (status == ConsumeConcurrentlyStatus.CONSUME_SUCCESS) {
        meter.done((int) Math.min(messages.size(), context.getAckIndex() + 1L));
      }
      return status;
    };
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
