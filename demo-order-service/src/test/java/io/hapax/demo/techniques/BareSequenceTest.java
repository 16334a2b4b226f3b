package io.hapax.demo.techniques;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.demo.scene.EventTopic;
import io.hapax.demo.scene.OnStage;
import io.hapax.demo.scene.OrderEvent;
import io.hapax.demo.scene.Servers;
import io.hapax.demo.scene.Sql;
import io.hapax.demo.scene.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Keeps the last offset of a partition in the transaction of the effects. */
@Timeout(60)
@ExtendWith(OnStage.class)
class BareSequenceTest {

  @Test
  void an_offset_does_not_recognise_an_event_that_was_sent_twice(Servers servers) throws Exception {
    Stage stage = servers.stage();
    OrderEvent event = OrderEvent.of("order-1", "PAID", 5);
    try (EventTopic<?> topic = stage.topic("sequence", 1);
        Connection connection = stage.database().getConnection()) {
      Sql.createAfresh(connection, "last_offset", "number BIGINT NOT NULL");
      Sql.createAfresh(connection, "refund", "order_id VARCHAR(60) NOT NULL");
      Sql.update(connection, "INSERT INTO last_offset VALUES (-1)");
      topic.send(List.of(event, event));

      List<ConsumerRecord<byte[], byte[]>> records = read(servers.kafka(), topic.name());
      for (ConsumerRecord<byte[], byte[]> record : records) {
        stage.transact(transaction -> refundIfNew(transaction, record));
        stage.transact(transaction -> refundIfNew(transaction, record)); // redelivered
      }

      assertThat(Sql.rows(connection, "SELECT order_id FROM refund"))
          .containsExactly("order-1", "order-1");
    }
  }

  private static boolean refundIfNew(Connection transaction, ConsumerRecord<byte[], byte[]> record)
      throws SQLException {
    boolean isNew = Sql.update(
            transaction,
            "UPDATE last_offset SET number = ? WHERE number < ?",
            record.offset(),
            record.offset())
        == 1;
    if (isNew) {
      Sql.update(
          transaction,
          "INSERT INTO refund VALUES (?)",
          OrderEvent.fromJson(record.value()).orderId());
    }
    return isNew;
  }

  private static List<ConsumerRecord<byte[], byte[]>> read(String bootstrapServers, String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
        Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      await().atMost(Duration.ofSeconds(30)).until(() -> {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
        return records.size() == 2;
      });
    }
    return records;
  }
}
