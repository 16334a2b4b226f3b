package io.hapax.demo.scene;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;

/**
 * Places orders. An order and its event are written in one transaction, the event into the outbox.
 * So there is never an order without an event, or an event without its order.
 *
 * @param inspection gets the customer of each order before anything is written. It may be slow, and
 *     refuses an order with an exception
 */
record OrderDesk(Consumer<String> inspection) {

  /** UUIDs of version 7: ordered by time, so that an index on them grows at its end. */
  private static final TimeBasedEpochGenerator IDS = Generators.timeBasedEpochGenerator();

  static String newId() {
    return IDS.generate().toString();
  }

  static void create(Connection connection) throws SQLException {
    Sql.createAfresh(
        connection,
        "placed_order",
        "order_id CHAR(36) PRIMARY KEY, customer VARCHAR(60) NOT NULL, amount INTEGER NOT NULL");
    Outbox.create(connection);
    Tokens.create(connection);
  }

  String place(Connection transaction, String customer, int amount) throws SQLException {
    inspection.accept(customer);
    String order = newId();
    Sql.update(transaction, "INSERT INTO placed_order VALUES (?, ?, ?)", order, customer, amount);
    Outbox.add(transaction, new OrderEvent(newId(), order, "PLACED", amount));
    return order;
  }
}
