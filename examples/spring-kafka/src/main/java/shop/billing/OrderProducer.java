package shop.billing;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

/** Sends orders. The header says which order a record is about. */
@Component
class OrderProducer {

  private final KafkaTemplate<String, Order> kafka;

  OrderProducer(KafkaTemplate<String, Order> kafka) {
    this.kafka = kafka;
  }

  void send(Order order) {
    ProducerRecord<String, Order> record =
        new ProducerRecord<>("orders", order.customer(), order);
    record.headers().add("order-id", order.id().getBytes(StandardCharsets.UTF_8));
    kafka.send(record).join();
  }
}
