package io.hapax.chaos;

import io.hapax.demo.Effect;
import io.hapax.demo.Json;
import io.hapax.demo.KafkaOrders;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Order;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.RocketMqOrders;
import io.hapax.demo.Shop;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads orders without Hapax, in the most common way: it takes each order into effect and
 * acknowledges afterwards. This is at least once: a producer's duplicate, a crash with a batch in
 * flight and a replay all repeat effects.
 */
record NaiveConsumer(long number, DataSource database, Reports reports, ParentWatch parent) {

  private static final Logger LOG = LoggerFactory.getLogger(NaiveConsumer.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private record Received(Reports.InFlight message, Order order) {

    static Received of(String topic, int part, long offset, byte[] body) {
      Order order = Json.read(body, Order.class);
      String place = topic + '-' + part + '@' + offset;
      return new Received(new Reports.InFlight(place, order.id()), order);
    }
  }

  void run(KafkaOrders channel) throws SQLException, InterruptedException {
    try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(channel.properties())) {
      consumer.subscribe(List.of(OrderChannel.TOPIC));
      reports.ready();
      while (!parent.awaitStop(Duration.ZERO)) {
        List<Received> batch = new ArrayList<>();
        consumer
            .poll(POLL)
            .forEach(
                it -> batch.add(Received.of(it.topic(), it.partition(), it.offset(), it.value())));
        if (!batch.isEmpty()) {
          handle(batch);
          consumer.commitSync();
          acknowledged(batch);
        }
      }
    }
  }

  /** Handles a batch and acknowledges it. After a failure the whole batch is redelivered. */
  void run(RocketMqOrders channel) throws MQClientException, InterruptedException {
    DefaultMQPushConsumer consumer = channel.prepareConsumer();
    consumer.registerMessageListener(
        (MessageListenerConcurrently) (messages, context) -> status(messages));
    consumer.start();
    reports.ready();
    while (!parent.awaitStop()) {
      // the client's own threads continue to consume
    }
  }

  private ConsumeConcurrentlyStatus status(List<MessageExt> messages) {
    List<Received> batch = messages.stream()
        .map(it -> Received.of(it.getTopic(), it.getQueueId(), it.getQueueOffset(), it.getBody()))
        .toList();
    try {
      handle(batch);
      acknowledged(batch);
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    } catch (SQLException e) {
      LOG.warn("{} orders failed", batch.size(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the client shuts down
    }
    return ConsumeConcurrentlyStatus.RECONSUME_LATER;
  }

  private void handle(List<Received> batch) throws SQLException, InterruptedException {
    reports.started(batch.stream().map(Received::message).toList());
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < batch.size(); i++) {
        Order order = batch.get(i).order();
        Shop.apply(
            connection, List.of(new Effect(order, new LedgerRow(order.id(), 0, 0, false, number))));
        connection.commit();
        parent.count(1);
        if (i == batch.size() / 2) {
          parent.pauseIfReached();
        }
      }
    }
    parent.pauseIfReached();
  }

  private void acknowledged(List<Received> batch) {
    batch.forEach(received -> reports.ended(received.message(), Reports.Ending.EXECUTED));
  }
}
