package io.hapax.chaos;

import io.hapax.demo.OrderChannel;
import io.hapax.spring.Idempotent;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

/** The listener of Spring Kafka. */
final class SpringKafkaListener {

  private final SpringOrders orders;

  SpringKafkaListener(SpringOrders orders) {
    this.orders = orders;
  }

  static SpringSource source(String bootstrapServers) {
    return new SpringSource(
        SpringKafkaListener.class,
        Map.of(
            "spring.kafka.bootstrap-servers",
            bootstrapServers,
            "hapax.dead-letters",
            KafkaDeadTopic.NAME),
        failure -> false); // its container starts without a broker
  }

  /** Boot takes a factory of no other type. */
  @Bean
  static ConsumerFactory<Object, Object> consumers(SpringConsumer.Parts parts) {
    return new DefaultKafkaConsumerFactory<>(
        new KafkaSource(parts.address(), OrderChannel.GROUP, parts.protocol(), parts.reports())
            .properties());
  }

  @KafkaListener(topics = OrderChannel.TOPIC, groupId = OrderChannel.GROUP)
  @Idempotent(id = "header:" + OrderChannel.ID)
  void on(ConsumerRecord<String, byte[]> record) throws InterruptedException {
    orders.handle(record.value());
  }
}
