package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.spring.Idempotent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;

/** Records whose value cannot be deserialized or converted. */
@Timeout(60)
class UnreadableRecordTest {

  private static final String JSON =
      "org.springframework.kafka.support.serializer.JsonDeserializer";
  private static final String GUARDED =
      "org.springframework.kafka.support.serializer.ErrorHandlingDeserializer";
  private static final List<Integer> EFFECTS = new CopyOnWriteArrayList<>();

  /** What the listeners take. */
  public record Order(String id, int total) {}

  @KafkaApplication
  static class Billing {

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(Order order) {
      EFFECTS.add(order.total());
    }
  }

  @KafkaApplication
  static class InBatches {

    @KafkaListener(topics = "${orders}", groupId = "billing", batch = "true")
    @Idempotent(id = "key")
    void on(List<Order> orders) {
      orders.forEach(order -> EFFECTS.add(order.total()));
    }
  }

  @KafkaApplication
  static class WithRecoverer {

    @Bean
    DeadLetterPublishingRecoverer recoverer(KafkaTemplate<?, ?> template) {
      return new DeadLetterPublishingRecoverer(template);
    }

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(Order order) {
      EFFECTS.add(order.total());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, GUARDED})
  void an_unreadable_value_is_dead_lettered_as_received(String deserializer) {
    assertDeadLettered(Billing.class, "hapax.dead-letters={topic}-dlt", deserializer);
  }

  @Test
  void in_a_batch_only_the_unreadable_value_is_dead_lettered() {
    assertDeadLettered(InBatches.class, "hapax.dead-letters={topic}-dlt", JSON);
  }

  @Test
  void the_recoverer_of_the_application_publishes_dead_letters() {
    ConsumerRecord<String, String> letter = assertDeadLettered(
        WithRecoverer.class,
        "spring.kafka.producer.value-serializer="
            + "org.apache.kafka.common.serialization.ByteArraySerializer",
        JSON);

    assertThat(letter.headers().lastHeader("kafka_dlt-original-topic")).isNotNull();
  }

  private static ConsumerRecord<String, String> assertDeadLettered(
      Class<?> application, String property, String deserializer) {
    EFFECTS.clear();
    String topic = Broker.topic(1);
    Broker.createTopic(topic + "-dlt");
    Broker.send(topic, 0, "a", "{\"id\":\"a\",\"total\":1}");
    Broker.send(topic, 0, "b", "no JSON");
    Broker.send(topic, 0, "c", "{\"id\":\"c\",\"total\":3}");
    try (ConfigurableApplicationContext app = Broker.start(
        application,
        topic,
        property,
        "spring.kafka.consumer.value-deserializer=" + deserializer,
        "spring.kafka.consumer.properties.spring.deserializer.value.delegate.class=" + JSON,
        "spring.kafka.consumer.properties.spring.json.value.default.type="
            + Order.class.getName())) {
      await().until(() -> Broker.committed("billing", topic, 0) == 3);
      ConsumerRecord<String, String> letter =
          Broker.read(topic + "-dlt", record -> "b".equals(record.key()));
      assertThat(letter.value().getBytes(StandardCharsets.UTF_8))
          .isEqualTo("no JSON".getBytes(StandardCharsets.UTF_8));
      assertThat(letter.headers())
          .noneMatch(header -> header.key().startsWith("hapax-received"))
          .noneMatch(header -> header.key().startsWith("springDeserializerException"));
      assertThat(EFFECTS).containsExactly(1, 3);
      return letter;
    }
  }
}
