package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.health.Problem;
import io.hapax.spring.Idempotent;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

/** A container that ends by itself is a problem until it is started again. */
class EndedContainerTest extends EffectsFixture {

  @Test
  void a_container_that_an_error_ended_is_a_problem_until_it_is_started_again() {
    Broker.send(topic, 0, "a", "1");
    try (ConfigurableApplicationContext app =
        Broker.start(WithObjects.class, topic, "hapax.consumers.billing.fingerprint=none")) {
      await().until(() -> !Broker.problems(app).isEmpty());
      assertThat(Broker.problems(app)).hasSize(1);
      assertThat(Broker.problems(app).get(0).kind()).isEqualTo(Problem.Kind.RECEIVER_DOWN);
      assertThat(Broker.problems(app).get(0).text()).contains("unreadable-0", "ERROR");

      WithObjects.broken = false;
      Broker.container(app, "unreadable").start();
      await().until(() -> EFFECTS.contains("1"));
      assertThat(Broker.problems(app)).isEmpty();
    } finally {
      WithObjects.broken = true;
    }
  }

  /** Makes consumers that share a deserializer whose errors are not caught. */
  @KafkaApplication
  static class WithObjects {

    static volatile boolean broken = true;

    @Bean
    ConsumerFactory<String, Object> consumers(
        @Value("${spring.kafka.bootstrap-servers}") String servers) {
      return new DefaultKafkaConsumerFactory<>(
          Map.of("bootstrap.servers", servers, "auto.offset.reset", "earliest"),
          new StringDeserializer(),
          (topic, data) -> value(data));
    }

    private static Object value(byte[] data) {
      if (broken) {
        throw new NoClassDefFoundError("com/shop/Order");
      }
      return Integer.valueOf(new String(data, StandardCharsets.UTF_8));
    }

    @Bean
    ConcurrentKafkaListenerContainerFactory<String, Object> kafkaListenerContainerFactory(
        ConsumerFactory<String, Object> consumers) {
      ConcurrentKafkaListenerContainerFactory<String, Object> factory =
          new ConcurrentKafkaListenerContainerFactory<>();
      factory.setConsumerFactory(consumers);
      return factory;
    }

    @KafkaListener(id = "unreadable", topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(Integer order) {
      EFFECTS.add(order.toString());
    }
  }
}
