package io.hapax.demo.spring;

import io.hapax.demo.OrderChannel;
import io.hapax.spring.Idempotent;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

final class SpringKafkaListener {

  private final SpringOrders orders;

  SpringKafkaListener(SpringOrders orders) {
    this.orders = orders;
  }

  /** Boot takes a factory of no other type. */
  @Bean
  static ConsumerFactory<Object, Object> consumers(SpringParts parts) {
    return new DefaultKafkaConsumerFactory<>(parts.kafka());
  }

  @KafkaListener(topics = OrderChannel.TOPIC, groupId = OrderChannel.GROUP)
  @Idempotent(id = "header:" + OrderChannel.ID)
  void on(ConsumerRecord<String, byte[]> record) throws InterruptedException {
    orders.handle(record.value());
  }
}
