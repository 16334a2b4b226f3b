package io.hapax.chaos;

import io.hapax.IdExtractor;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.demo.BrokerException;
import io.hapax.demo.Order;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.OrderJson;
import io.hapax.demo.scene.RocketMqClients;
import io.hapax.mark.Fingerprint;
import io.hapax.rocketmq.RocketMqDeadLetterPublisher;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.rocketmq.RocketMqReceiver;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Orders from RocketMQ. */
final class RocketMqSource implements OrderSource<MessageExt> {

  private static final Logger LOG = LoggerFactory.getLogger(RocketMqSource.class);
  private static final Duration ASK_EVERY = Duration.ofSeconds(1);
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);
  private static final int AT_ONCE = 32;

  /**
   * A deferred order returns behind all messages that the client has pulled and not handled yet.
   * With the client's default of 1,000 for each queue, this would be the longest part of a
   * recovery.
   */
  private static final int PULLED_OF_A_QUEUE = 128;

  private final String nameServer;
  private final boolean orderly;
  private final Reports reports;

  /** The publisher of the running consumer: each start creates a new one. */
  private volatile Optional<RocketMqDeadLetterPublisher> deadLetters = Optional.empty();

  RocketMqSource(String nameServer, boolean orderly, Reports reports) {
    this.nameServer = nameServer;
    this.orderly = orderly;
    this.reports = reports;
  }

  /** Configures one handler thread for each queue. */
  @Override
  public ReceiverBuilder<MessageExt> receiver(String name) {
    return IdempotentReceiver.<MessageExt>builder(name)
        .id(ids())
        .fingerprint(fingerprint())
        .deadLetters(letter -> deadLetters.orElseThrow().publish(letter))
        .workers(OrderChannel.PARTITIONS);
  }

  /** Returns the extractor of an order's id. */
  static IdExtractor<MessageExt> ids() {
    return RocketMqIds.property(OrderChannel.ID);
  }

  /** Returns the fingerprint of an order. */
  static Function<MessageExt, Fingerprint> fingerprint() {
    return RocketMqFingerprints.body();
  }

  @Override
  public Order order(MessageExt message) {
    return OrderJson.read(message.getBody());
  }

  @Override
  public void feed(IdempotentReceiver<MessageExt> receiver, ParentWatch parent)
      throws BrokerException, InterruptedException {
    Optional<RocketMqReceiver> started = start(receiver, parent);
    if (started.isEmpty()) {
      return;
    }
    try (RocketMqReceiver orders = started.get()) {
      reports.ready();
      while (!parent.awaitStop(CHECK_INTERVAL)) {
        orders.problems().forEach(problem -> LOG.info("problem: {}", problem.text()));
      }
    }
  }

  /**
   * Starts the receiver, and tries again while no broker can be reached. Empty if the parent ends
   * the wait.
   */
  private Optional<RocketMqReceiver> start(
      IdempotentReceiver<MessageExt> receiver, ParentWatch parent)
      throws BrokerException, InterruptedException {
    do {
      try {
        return Optional.of(start(receiver));
      } catch (MQClientException e) {
        if (!isUnreached(e)) {
          throw new BrokerException("the RocketMQ receiver does not start", e);
        }
        LOG.warn("RocketMQ cannot be reached, trying again", e);
      }
    } while (!parent.awaitStop(ASK_EVERY));
    return Optional.empty();
  }

  /** Returns whether a client failed because it reached no broker or name server. */
  static boolean isUnreached(Throwable e) {
    return Stream.iterate(e, Objects::nonNull, Throwable::getCause)
        .anyMatch(RemotingException.class::isInstance);
  }

  private RocketMqReceiver start(IdempotentReceiver<MessageExt> receiver) throws MQClientException {
    DefaultMQPushConsumer consumer = consumer();
    RocketMqDeadLetterPublisher publisher = RocketMqDeadLetterPublisher.of(consumer);
    deadLetters = Optional.of(publisher);
    RocketMqReceiver.Builder builder =
        RocketMqReceiver.builder(receiver, consumer).deadLetters(publisher);
    return (orderly ? builder.orderly() : builder).start();
  }

  /** Does nothing: dead-letter records use the consumer's own connection. */
  @Override
  public void close() {}

  /** Handles a batch and acknowledges it. After a failure the whole batch is redelivered. */
  @Override
  public void feed(NaiveHandler handler, ParentWatch parent)
      throws MQClientException, InterruptedException {
    DefaultMQPushConsumer consumer = consumer();
    consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
      List<NaiveHandler.Received> batch = messages.stream().map(this::received).toList();
      try {
        handler.handle(batch);
      } catch (SQLException e) {
        LOG.warn("{} orders failed", batch.size(), e);
        return ConsumeConcurrentlyStatus.RECONSUME_LATER;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the client shuts down
        return ConsumeConcurrentlyStatus.RECONSUME_LATER;
      }
      handler.acknowledged(batch);
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    });
    consumer.start();
    reports.ready();
    while (!parent.awaitStop(CHECK_INTERVAL)) {
      // the client's own threads continue to consume
    }
    consumer.shutdown();
  }

  private NaiveHandler.Received received(MessageExt message) {
    String place = message.getTopic() + '-' + message.getQueueId() + '@' + message.getQueueOffset();
    return new NaiveHandler.Received(place, order(message));
  }

  /** Returns a consumer with the settings of both kinds. */
  private DefaultMQPushConsumer consumer() throws MQClientException {
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(OrderChannel.GROUP);
    prepare(consumer, nameServer, reports);
    consumer.setConsumeMessageBatchMaxSize(AT_ONCE);
    consumer.setConsumeThreadMin(OrderChannel.PARTITIONS);
    consumer.setConsumeThreadMax(OrderChannel.PARTITIONS);
    consumer.subscribe(OrderChannel.TOPIC, "*");
    return consumer;
  }

  /** Configures the pulls of a consumer of any kind, and reports what they deliver. */
  @SuppressWarnings("deprecation") // the only way to count the messages of every listener
  static void prepare(DefaultMQPushConsumer consumer, String nameServer, Reports reports) {
    RocketMqClients.quick(consumer, nameServer);
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.setPullThresholdForQueue(PULLED_OF_A_QUEUE);
    consumer.getDefaultMQPushConsumerImpl().registerConsumeMessageHook(new PulledMessages(reports));
  }
}
