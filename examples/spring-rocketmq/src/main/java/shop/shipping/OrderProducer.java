package shop.shipping;

import org.apache.rocketmq.spring.core.RocketMQTemplate;
import org.apache.rocketmq.spring.support.RocketMQHeaders;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.stereotype.Component;

/** Sends orders. The key says which order a message is about. */
@Component
class OrderProducer {

  private final RocketMQTemplate rocketMq;

  OrderProducer(RocketMQTemplate rocketMq) {
    this.rocketMq = rocketMq;
  }

  void send(Order order) {
    rocketMq.syncSend(
        "orders",
        MessageBuilder.withPayload(order).setHeader(RocketMQHeaders.KEYS, order.id()).build());
  }
}
