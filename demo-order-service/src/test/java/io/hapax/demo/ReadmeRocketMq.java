package io.hapax.demo;

import io.hapax.rocketmq.IdempotentConcurrentListener;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;

/** Holds the README's example for an existing RocketMQ listener, between the two comments. */
final class ReadmeRocketMq {

  private final Queue<String> charged = new ConcurrentLinkedQueue<>();

  void run(DefaultMQPushConsumer consumer, DedupStore store, CountDownLatch stop)
      throws MQClientException, InterruptedException {
    MessageListenerConcurrently yourListener = (messages, context) -> {
      messages.forEach(message -> charged.add(message.getKeys()));
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    };
    // example: begin
    try (var listener = IdempotentConcurrentListener.wrap(consumer, store, yourListener)) {
      consumer.registerMessageListener(listener);
      consumer.start();
      stop.await();
      consumer.shutdown();
    }
    // example: end
  }

  List<String> charged() {
    return List.copyOf(charged);
  }
}
