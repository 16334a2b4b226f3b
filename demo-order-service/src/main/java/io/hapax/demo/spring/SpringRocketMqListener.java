package io.hapax.demo.spring;

import io.hapax.demo.OrderChannel;
import io.hapax.spring.Idempotent;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.spring.annotation.ConsumeMode;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.apache.rocketmq.spring.core.RocketMQPushConsumerLifecycleListener;

/** The listener of rocketmq-spring. Its attributes are constants: each mode has a class. */
abstract class SpringRocketMqListener
    implements RocketMQListener<MessageExt>, RocketMQPushConsumerLifecycleListener {

  private final SpringOrders orders;
  private final SpringParts parts;

  private SpringRocketMqListener(SpringOrders orders, SpringParts parts) {
    this.orders = orders;
    this.parts = parts;
  }

  /** Sets what the annotation has no attribute for. Hapax sets the size of batches. */
  @Override
  public void prepareStart(DefaultMQPushConsumer consumer) {
    parts.rocketMq().accept(consumer);
  }

  @Override
  public void onMessage(MessageExt message) {
    try {
      orders.handle(message.getBody());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted before the order took effect", e);
    }
  }

  @Idempotent(id = "header:" + OrderChannel.ID)
  @RocketMQMessageListener(
      topic = OrderChannel.TOPIC,
      consumerGroup = OrderChannel.GROUP,
      consumeThreadNumber = OrderChannel.PARTITIONS)
  static final class Concurrent extends SpringRocketMqListener {

    Concurrent(SpringOrders orders, SpringParts parts) {
      super(orders, parts);
    }
  }

  @Idempotent(id = "header:" + OrderChannel.ID)
  @RocketMQMessageListener(
      topic = OrderChannel.TOPIC,
      consumerGroup = OrderChannel.GROUP,
      consumeThreadNumber = OrderChannel.PARTITIONS,
      consumeMode = ConsumeMode.ORDERLY)
  static final class Orderly extends SpringRocketMqListener {

    Orderly(SpringOrders orders, SpringParts parts) {
      super(orders, parts);
    }
  }
}
