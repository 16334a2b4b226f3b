package io.hapax.demo;

import io.hapax.IdempotentReceiver;
import io.hapax.TransactionalHandler;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.kafka.KafkaDeadLetterPublisher;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaReceiver;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Holds the README's example for Kafka, between the two comments. */
final class ReadmeFromNothing {

  private ReadmeFromNothing() {}

  static void run(
      DataSource dataSource,
      Map<String, Object> consumerProperties,
      Map<String, Object> producerProperties,
      CountDownLatch stop)
      throws InterruptedException {
    // example: begin
    try (var store = JdbcDedupStore.builder(dataSource).createIfAbsent().build();
        var dead = KafkaDeadLetterPublisher.<String, String>to("orders.dead", producerProperties);
        var billing = IdempotentReceiver.<ConsumerRecord<String, String>>builder("billing")
            .id(KafkaIds.header("order-id"))
            .fingerprint(KafkaFingerprints.value())
            .deadLetters(dead)
            .transactional(
                store,
                TransactionalHandler.forEach((connection, delivery) ->
                    book(connection, delivery.message().value())));
        var orders = KafkaReceiver.start(billing, consumerProperties, List.of("orders"))) {
      stop.await(); // the resource that was opened last is closed first
    }
    // example: end
  }

  private static void book(Connection connection, String order) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO booking (order_text) VALUES (?)")) {
      insert.setString(1, order);
      insert.executeUpdate();
    }
  }
}
