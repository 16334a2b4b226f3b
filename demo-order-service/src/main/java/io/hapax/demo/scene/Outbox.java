package io.hapax.demo.scene;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Events that wait to be published. They are published at least once: a relay that dies after the
 * broker has taken an event, and before the outbox knows that, leaves the event for the next relay.
 * The consumer removes that duplicate, because both have the same id.
 */
final class Outbox {

  private Outbox() {}

  static void create(Connection connection) throws SQLException {
    Sql.createAfresh(
        connection,
        "outbox",
        "event_id CHAR(36) PRIMARY KEY, event VARCHAR(400) NOT NULL, published BOOLEAN NOT NULL");
  }

  static void add(Connection transaction, OrderEvent event) throws SQLException {
    Sql.update(
        transaction,
        "INSERT INTO outbox VALUES (?, ?, FALSE)",
        event.id(),
        new String(event.toJson(), StandardCharsets.UTF_8));
  }

  /**
   * Publishes the waiting events, the oldest first, calls {@code sent}, notes that they are
   * published, and returns their number. A relay that dies after {@code sent} publishes its events
   * again.
   */
  static int relay(Stage stage, EventTopic<?> topic, Runnable sent)
      throws IOException, SQLException, InterruptedException {
    List<OrderEvent> waiting = stage.transact(Outbox::waiting);
    topic.send(waiting);
    sent.run();
    return stage.transact(transaction -> {
      for (OrderEvent event : waiting) {
        Sql.update(
            transaction, "UPDATE outbox SET published = TRUE WHERE event_id = ?", event.id());
      }
      return waiting.size();
    });
  }

  private static List<OrderEvent> waiting(Connection transaction) throws SQLException {
    return Sql.rows(
            transaction, "SELECT event FROM outbox WHERE published = FALSE ORDER BY event_id")
        .stream()
        .map(json -> OrderEvent.fromJson(json.getBytes(StandardCharsets.UTF_8)))
        .toList();
  }
}
