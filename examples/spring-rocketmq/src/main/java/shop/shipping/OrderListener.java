package shop.shipping;

import io.hapax.spring.Idempotent;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.springframework.stereotype.Component;

/** Prints a label for each order. Only the annotation @Idempotent is new. */
@Component
@RocketMQMessageListener(topic = "orders", consumerGroup = "shipping")
@Idempotent(id = "key")
class OrderListener implements RocketMQListener<Order> {

  private final LabelPrinter printer;

  OrderListener(LabelPrinter printer) {
    this.printer = printer;
  }

  @Override
  public void onMessage(Order order) {
    printer.print(order);
  }
}
