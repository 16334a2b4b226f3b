package io.hapax.chaos;

import io.hapax.demo.Effect;
import io.hapax.demo.KafkaOrders;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Order;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.OrderJson;
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
record NaiveConsumer(
    long number, DataSource database, Reports reports, PauseGate gate, ParentWatch parent) {

  private static final Logger LOG = LoggerFactory.getLogger(NaiveConsumer.class);
  private static final Duration POLL = Duration.ofMillis(100);

  /** An order with the place of its message, for example {@code orders-3@1507}. */
  private record Received(String place, Order order) {

    private Reports.InFlight inFlight() {
      return new Reports.InFlight(place, order.id());
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
            .forEach(record -> batch.add(new Received(
                record.topic() + '-' + record.partition() + '@' + record.offset(),
                OrderJson.read(record.value()))));
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
        .map(message -> new Received(
            message.getTopic() + '-' + message.getQueueId() + '@' + message.getQueueOffset(),
            OrderJson.read(message.getBody())))
        .toList();
    try {
      handle(batch);
    } catch (SQLException e) {
      LOG.warn("{} orders failed", batch.size(), e);
      return ConsumeConcurrentlyStatus.RECONSUME_LATER;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the client shuts down
      return ConsumeConcurrentlyStatus.RECONSUME_LATER;
    }
    acknowledged(batch);
    return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
  }

  /** Takes the orders into effect, each in its own transaction. */
  private void handle(List<Received> batch) throws SQLException, InterruptedException {
    reports.started(batch.stream().map(Received::inFlight).toList());
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < batch.size(); i++) {
        Order order = batch.get(i).order();
        Shop.apply(
            connection, List.of(new Effect(order, new LedgerRow(order.id(), 0, 0, false, number))));
        connection.commit();
        gate.count(1);
        if (i == batch.size() / 2) {
          gate.pauseIfReached();
        }
      }
    }
    gate.pauseIfReached();
  }

  private void acknowledged(List<Received> batch) {
    batch.forEach(received -> reports.ended(received.inFlight(), Reports.Ending.EXECUTED));
  }
}
