package io.hapax.demo.scene;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;

/**
 * Places orders. An order and its event are written in one transaction, the event into the outbox.
 * So there is never an order without an event, or an event without its order.
 */
final class OrderDesk {

  private final Ids ids;
  private final Consumer<String> inspection;

  /**
   * Makes a desk. The inspection gets the customer of each order before anything is written. It may
   * be slow, and refuses an order with an exception.
   */
  OrderDesk(Ids ids, Consumer<String> inspection) {
    this.ids = ids;
    this.inspection = inspection;
  }

  static void create(Connection connection) throws SQLException {
    Sql.createAfresh(
        connection,
        "placed_order",
        "order_id CHAR(36) PRIMARY KEY, customer VARCHAR(60) NOT NULL, amount INTEGER NOT NULL");
    Outbox.create(connection);
    Tokens.create(connection);
  }

  /** Places an order, and returns its id. */
  String place(Connection transaction, String customer, int amount) throws SQLException {
    inspection.accept(customer);
    String order = ids.next();
    Sql.update(transaction, "INSERT INTO placed_order VALUES (?, ?, ?)", order, customer, amount);
    Outbox.add(transaction, new OrderEvent(ids.next(), order, "PLACED", amount));
    return order;
  }
}
