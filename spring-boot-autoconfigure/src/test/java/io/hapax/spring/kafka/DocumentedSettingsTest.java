package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.IdExtractor;
import io.hapax.ReceiverBuilder;
import io.hapax.kafka.KafkaIds;
import io.hapax.spring.Idempotent;
import io.hapax.spring.listener.ReceiverCustomizer;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.support.serializer.JsonDeserializer;

/** The solutions that the page on Kafka gives for settings that are refused as they are. */
class DocumentedSettingsTest extends EffectsFixture {

  /** What the producer sends. */
  public record Order(String id, int total) {}

  @Import(WithoutTransactions.class)
  @KafkaApplication
  static class WithTransactionalProducers {

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

  @KafkaApplication
  static class WithMirror {

    @Bean
    ReceiverCustomizer withoutCluster() {
      return (settings, builder) -> withoutCluster(builder);
    }

    @SuppressWarnings("unchecked") // a listener of Kafka
    private static void withoutCluster(ReceiverBuilder<?> builder) {
      ((ReceiverBuilder<ConsumerRecord<Object, Object>>) builder)
          .id(IdExtractor.within(
              record -> record.topic().replaceFirst("^A\\.", ""), KafkaIds.header("order-id")));
    }

    @KafkaListener(
        topics = {"${orders}", "A.${orders}"},
        groupId = "billing")
    @Idempotent(id = "header:order-id")
    void on(String order) {
      EFFECTS.add(order);
    }
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

  @Test
  void an_event_of_a_topic_and_of_its_mirror_takes_effect_once() {
    String mirror = "A." + topic;
    Broker.createTopic(mirror);
    Broker.send(topic, 0, "", "a", "order-id=17");
    Broker.send(mirror, 0, "", "a", "order-id=17");
    try (ConfigurableApplicationContext app = Broker.start(WithMirror.class, topic)) {
      await()
          .until(() -> Broker.committed("billing", topic, 0) == 1
              && Broker.committed("billing", mirror, 0) == 1);
    }
    assertThat(EFFECTS).containsExactly("a");
  }

  private void sendTwice(String value) {
    Broker.send(topic, 0, "a", value);
    Broker.send(topic, 0, "a", value);
  }
}
