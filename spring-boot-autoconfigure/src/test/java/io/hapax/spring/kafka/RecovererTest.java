package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.errors.RejectedMessageException;
import io.hapax.spring.Idempotent;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.support.serializer.DeserializationException;

/** Dead letters that the recoverer of the application publishes. */
@Timeout(60)
class RecovererTest {

  private static final class NoSuchItem extends RejectedMessageException {

    private static final long serialVersionUID = 1L;

    NoSuchItem() {
      super("no such item");
    }
  }

  /** Publishes only what it knows. */
  @KafkaApplication
  static class ByCause {

    @Bean
    DeadLetterPublishingRecoverer recoverer(KafkaTemplate<?, ?> template) {
      return new DeadLetterPublishingRecoverer(
          template,
          (record, error) -> error.getCause() instanceof NoSuchItem
                  || error.getCause() instanceof DeserializationException
              ? new TopicPartition(record.topic() + "-dlt", record.partition())
              : null);
    }

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(Integer order) {
      throw new NoSuchItem();
    }
  }

  @Test
  void the_recoverer_chooses_by_the_cause_and_a_partition_that_exists() {
    String topic = Broker.topic(2);
    Broker.createTopic(topic + "-dlt");
    Broker.send(topic, 1, "a", "1");
    Broker.send(topic, 1, "b", "no JSON");
    try (ConfigurableApplicationContext app = Broker.start(
        ByCause.class,
        topic,
        "spring.kafka.consumer.value-deserializer="
            + "org.springframework.kafka.support.serializer.JsonDeserializer",
        "spring.kafka.consumer.properties.spring.json.value.default.type=java.lang.Integer",
        "spring.kafka.producer.value-serializer="
            + "org.springframework.kafka.support.serializer.JsonSerializer")) {
      await().until(() -> Broker.committed("billing", topic, 1) == 2);
      assertThat(Broker.end(topic + "-dlt", 0)).isEqualTo(2);
    }
  }
}
