package io.hapax.demo;

import io.hapax.IdempotentReceiver;
import io.hapax.TransactionalHandler;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaReceiver;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The README's example that starts from nothing; it shows what stands between the two comments. */
final class ReadmeFromNothing {

  private ReadmeFromNothing() {}

  static KafkaReceiver<String, String> start(
      DataSource dataSource, Map<String, Object> consumerProperties) {
    // README: begin
    var store = JdbcDedupStore.builder(dataSource).createIfAbsent().build();
    var billing = IdempotentReceiver.<ConsumerRecord<String, String>>builder("billing")
        .id(KafkaIds.header("order-id"))
        .fingerprint(KafkaFingerprints.value())
        .transactional(
            store,
            TransactionalHandler.forEach(
                (connection, delivery) -> book(connection, delivery.message().value())));
    var orders = KafkaReceiver.start(billing, consumerProperties, List.of("orders"));
    // README: end
    return orders;
  }

  private static void book(Connection connection, String order) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO booking (order_text) VALUES (?)")) {
      insert.setString(1, order);
      insert.executeUpdate();
    }
  }
}
