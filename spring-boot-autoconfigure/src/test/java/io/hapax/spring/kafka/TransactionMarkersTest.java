package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;

/** With {@code fixTxOffsets} the group's lag has no transaction markers and aborted records. */
class TransactionMarkersTest extends EffectsFixture {

  @KafkaApplication
  static class Billing extends Plain {

    @Bean
    ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>>
        fixing() {
      return container -> container.getContainerProperties().setFixTxOffsets(true);
    }
  }

  @Test
  void the_commit_passes_aborted_transactions_and_their_markers() {
    try (KafkaProducer<String, String> producer = producer();
        ConfigurableApplicationContext app = Broker.start(
            Billing.class, topic, "spring.kafka.consumer.isolation-level=read_committed")) {
      producer.initTransactions();
      send(producer, "first", true);
      await().until(() -> EFFECTS.contains("first"));
      for (int i = 0; i < 5; i++) {
        send(producer, "aborted", false);
      }

      await()
          .untilAsserted(() ->
              assertThat(Broker.committed("billing", topic, 0)).isEqualTo(Broker.end(topic, 0)));
      send(producer, "last", true);
      await()
          .untilAsserted(() ->
              assertThat(Broker.committed("billing", topic, 0)).isEqualTo(Broker.end(topic, 0)));
      assertThat(EFFECTS).containsExactly("first", "last");
    }
  }

  private KafkaProducer<String, String> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", Broker.servers(), "transactional.id", "producer-of-" + topic),
        new StringSerializer(),
        new StringSerializer());
  }

  private void send(KafkaProducer<String, String> producer, String order, boolean commits) {
    producer.beginTransaction();
    var unused = producer.send(new ProducerRecord<>(topic, order, order));
    if (commits) {
      producer.commitTransaction();
    } else {
      producer.flush();
      producer.abortTransaction();
    }
  }
}
