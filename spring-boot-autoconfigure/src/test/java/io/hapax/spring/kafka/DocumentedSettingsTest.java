package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.spring.Idempotent;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.support.serializer.JsonDeserializer;

/** The solutions that the page on Kafka gives for settings that are refused as they are. */
@Timeout(60)
class DocumentedSettingsTest {

  private static final List<String> EFFECTS = new CopyOnWriteArrayList<>();

  private final String topic = Broker.topic(1);

  /** What the producer sends. */
  public record Order(String id, int total) {}

  @KafkaApplication
  static class WithTransactionalProducers {

    @Bean
    static ContainerPostProcessor<
            Object, Object, ConcurrentMessageListenerContainer<Object, Object>>
        withoutTransactions() {
      return container -> container.getContainerProperties().setKafkaAwareTransactionManager(null);
    }

    @KafkaListener(
        topics = "${orders}",
        groupId = "billing",
        containerPostProcessor = "withoutTransactions")
    @Idempotent(id = "key")
    void on(String order) {
      EFFECTS.add(order);
    }
  }

  @KafkaApplication
  static class WithDeserializerObject {

    @Bean
    static ConcurrentKafkaListenerContainerFactory<String, Order> kafkaListenerContainerFactory(
        @Value("${spring.kafka.bootstrap-servers}") String servers) {
      ConcurrentKafkaListenerContainerFactory<String, Order> factory =
          new ConcurrentKafkaListenerContainerFactory<>();
      factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(
          Map.of("bootstrap.servers", servers),
          new StringDeserializer(),
          new JsonDeserializer<>(Order.class)));
      return factory;
    }

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "#{payload.id}", fingerprint = "#{payload.total}")
    void on(Order order) {
      EFFECTS.add(order.id() + " " + order.total());
    }
  }

  @BeforeEach
  void forget() {
    EFFECTS.clear();
  }

  @Test
  void a_listener_works_without_the_transactions_that_boot_gives_its_container() {
    sendTwice("order");
    Broker.handle(
        WithTransactionalProducers.class,
        topic,
        2,
        "spring.kafka.producer.transaction-id-prefix=billing-");
    assertThat(EFFECTS).containsExactly("order");
  }

  @Test
  void a_deserializer_object_works_with_expressions() {
    sendTwice("{\"id\":\"17\",\"total\":7}");
    Broker.handle(WithDeserializerObject.class, topic, 2);
    assertThat(EFFECTS).containsExactly("17 7");
  }

  private void sendTwice(String value) {
    Broker.send(topic, 0, "a", value);
    Broker.send(topic, 0, "a", value);
  }
}
