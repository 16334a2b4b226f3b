package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.listener.MessageListener;

/** Needs no container. */
class PollListenerTest {

  private final PollListener listener =
      new PollListener((MessageListener<Object, Object>) record -> {}, consumer -> {
        throw new AssertionError("the poll was handled");
      });

  @Test
  void a_poll_of_a_container_that_acknowledges_by_itself_is_refused() {
    try (KafkaConsumer<Object, Object> consumer = new KafkaConsumer<>(
        Map.of("bootstrap.servers", "localhost:1"),
        (topic, bytes) -> bytes,
        (topic, bytes) -> bytes)) {
      assertThatThrownBy(() -> listener.onMessage(ConsumerRecords.empty(), null, consumer))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("AckMode");
    }
  }

  @Test
  void records_of_several_partitions_keep_their_partitions() {
    ConsumerRecord<Object, Object> first = new ConsumerRecord<>("orders", 0, 3, "a", "1");
    ConsumerRecord<Object, Object> second = new ConsumerRecord<>("orders", 1, 5, "b", "2");

    ConsumerRecords<Object, Object> records = ContainerThread.records(List.of(first, second));

    assertThat(records.records(new TopicPartition("orders", 0))).containsExactly(first);
    assertThat(records.records(new TopicPartition("orders", 1))).containsExactly(second);
  }
}
