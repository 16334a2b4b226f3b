package io.hapax.demo;

import io.hapax.IdExtractor;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
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
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final int AT_ONCE = 32;

  /**
   * An order that was deferred comes back behind all that the client has pulled and not handled
   * yet: with its default of 1,000 a queue that is the longest part of a recovery.
   */
  private static final int PULLED_OF_A_QUEUE = 128;

  private final String nameServer;
  private final boolean orderly;
  private final Reports reports;

  /** Of the consumer that runs: each start makes a new one. */
  private volatile Optional<RocketMqDeadLetterPublisher> deadLetters = Optional.empty();

  RocketMqSource(String nameServer, boolean orderly, Reports reports) {
    this.nameServer = nameServer;
    this.orderly = orderly;
    this.reports = reports;
  }

  /** As many handlers at once as there are queues. */
  @Override
  public ReceiverBuilder<MessageExt> receiver(String name) {
    return IdempotentReceiver.<MessageExt>builder(name)
        .id(ids())
        .fingerprint(fingerprint())
        .deadLetters(letter -> deadLetters.orElseThrow().publish(letter))
        .workers(OrderBroker.PARTITIONS);
  }

  /** Where an order's id is, for whoever looks for marks. */
  static IdExtractor<MessageExt> ids() {
    return RocketMqIds.property(OrderBroker.ID);
  }

  /** What orders are compared by. */
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
      while (!parent.awaitStop(LOOK_EVERY)) {
        orders.problems().forEach(problem -> LOG.info("nothing moves: {}", problem.text()));
      }
    }
  }

  /** Asks again while no broker can be reached; empty if the parent ends the wait. */
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
        LOG.warn("RocketMQ is not reached, asking again", e);
      }
    } while (!parent.awaitStop(ASK_EVERY));
    return Optional.empty();
  }

  private static boolean isUnreached(Throwable e) {
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

  /** Nothing: dead letters go through the consumer's own connection. */
  @Override
  public void close() {}

  /** Handles what it is called with, and says that all went well; if not, all comes again. */
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
    while (!parent.awaitStop(LOOK_EVERY)) {
      // the client's own threads work
    }
    consumer.shutdown();
  }

  private NaiveHandler.Received received(MessageExt message) {
    String place = message.getTopic() + '-' + message.getQueueId() + '@' + message.getQueueOffset();
    return new NaiveHandler.Received(place, order(message));
  }

  /** What both consumers tell the broker. */
  @SuppressWarnings("deprecation") // the only way to count what every listener is handed
  private DefaultMQPushConsumer consumer() throws MQClientException {
    DefaultMQPushConsumer consumer =
        RocketMqClients.quick(new DefaultMQPushConsumer(OrderBroker.GROUP), nameServer);
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.setConsumeMessageBatchMaxSize(AT_ONCE);
    consumer.setPullThresholdForQueue(PULLED_OF_A_QUEUE);
    consumer.setConsumeThreadMin(OrderBroker.PARTITIONS);
    consumer.setConsumeThreadMax(OrderBroker.PARTITIONS);
    consumer.subscribe(OrderBroker.TOPIC, "*");
    consumer.getDefaultMQPushConsumerImpl().registerConsumeMessageHook(new PulledMessages(reports));
    return consumer;
  }
}
