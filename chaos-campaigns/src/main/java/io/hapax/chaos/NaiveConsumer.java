package io.hapax.chaos;

import io.hapax.demo.KafkaOrders;
import io.hapax.demo.OrderJson;
import io.hapax.demo.RocketMqOrders;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads orders without Hapax, in the most common way.
 *
 * @param topic the topic of the orders
 * @param handler takes the orders into effect
 * @param reports notify the parent
 * @param parent ends the process
 */
record NaiveConsumer(String topic, NaiveHandler handler, Reports reports, ParentWatch parent) {

  private static final Logger LOG = LoggerFactory.getLogger(NaiveConsumer.class);
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);

  /** Polls, handles, and commits the offsets of the poll. */
  void run(KafkaOrders channel) throws SQLException, InterruptedException {
    try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(channel.properties())) {
      consumer.subscribe(List.of(topic));
      reports.ready();
      while (!parent.stopped()) {
        List<NaiveHandler.Received> batch = new ArrayList<>();
        consumer.poll(CHECK_INTERVAL).forEach(record -> batch.add(received(record)));
        if (!batch.isEmpty()) {
          handler.handle(batch);
          consumer.commitSync();
          handler.acknowledged(batch);
        }
      }
    }
  }

  private static NaiveHandler.Received received(ConsumerRecord<String, byte[]> record) {
    String place = record.topic() + '-' + record.partition() + '@' + record.offset();
    return new NaiveHandler.Received(place, OrderJson.read(record.value()));
  }

  /** Handles a batch and acknowledges it. After a failure the whole batch is redelivered. */
  void run(RocketMqOrders channel) throws MQClientException, InterruptedException {
    DefaultMQPushConsumer consumer = channel.prepareConsumer();
    consumer.registerMessageListener(
        (MessageListenerConcurrently) (messages, context) -> handle(messages));
    consumer.start();
    reports.ready();
    while (!parent.awaitStop(CHECK_INTERVAL)) {
      // the client's own threads continue to consume
    }
  }

  private ConsumeConcurrentlyStatus handle(List<MessageExt> messages) {
    List<NaiveHandler.Received> batch =
        messages.stream().map(NaiveConsumer::received).toList();
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
  }

  private static NaiveHandler.Received received(MessageExt message) {
    String place = message.getTopic() + '-' + message.getQueueId() + '@' + message.getQueueOffset();
    return new NaiveHandler.Received(place, OrderJson.read(message.getBody()));
  }
}
