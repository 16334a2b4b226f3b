package io.hapax.demo.scene;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The stock of one article, and the decision about each order. The table of decisions has no unique
 * key, so that a repeated decision shows.
 */
final class Stock {

  static final String TAKEN = "TAKEN";

  /** The answer to an order for which too little was left. It is a result, not an error. */
  static final String INSUFFICIENT = "INSUFFICIENT";

  static final String SKU = "sku-01";

  private Stock() {}

  static void create(Connection connection, int available) throws SQLException {
    Sql.createAfresh(
        connection, "stock", "sku VARCHAR(20) PRIMARY KEY, available INTEGER NOT NULL");
    Sql.createAfresh(
        connection,
        "stock_decision",
        "order_id VARCHAR(60) NOT NULL, quantity INTEGER NOT NULL, answer VARCHAR(20) NOT NULL");
    Sql.update(connection, "INSERT INTO stock VALUES (?, ?)", SKU, available);
  }

  static int restock(Connection connection, int quantity) throws SQLException {
    return Sql.update(
        connection, "UPDATE stock SET available = available + ? WHERE sku = ?", quantity, SKU);
  }

  static String decide(Connection transaction, OrderEvent order) throws SQLException {
    String answer = take(transaction, order.amount()) ? TAKEN : INSUFFICIENT;
    Sql.update(
        transaction,
        "INSERT INTO stock_decision VALUES (?, ?, ?)",
        order.orderId(),
        order.amount(),
        answer);
    return answer;
  }

  /**
   * Takes pieces, unless there are fewer. The database locks the row, compares and changes it, so
   * no transaction fails because of another one. It does not notice that an order was deducted
   * before.
   */
  static boolean take(Connection transaction, int quantity) throws SQLException {
    return Sql.update(
            transaction,
            "UPDATE stock SET available = available - ? WHERE sku = ? AND available >= ?",
            quantity,
            SKU,
            quantity)
        == 1;
  }

  static long available(Connection connection) throws SQLException {
    return Sql.number(connection, "SELECT available FROM stock WHERE sku = ?", SKU);
  }

  /**
   * Compares the decisions with the orders: all pieces that there were, and the answers that
   * duplicates received, by order.
   */
  static SceneResult result(
      Connection connection, List<OrderEvent> orders, int pieces, Map<String, String> replies)
      throws SQLException {
    List<String> violations = new ArrayList<>();
    List<String> decisions =
        Sql.rows(connection, "SELECT order_id, answer FROM stock_decision ORDER BY order_id");
    replies.forEach((order, answer) -> {
      if (!decisions.contains(order + ' ' + answer)) {
        violations.add("a duplicate of " + order + " was answered " + answer);
      }
    });
    long taken = Sql.number(
        connection,
        "SELECT COALESCE(SUM(quantity), 0) FROM stock_decision WHERE answer = ?",
        TAKEN);
    if (available(connection) != pieces - taken) {
      violations.add("of " + pieces + " pieces " + taken + " are taken and " + available(connection)
          + " available");
    }
    return SceneResult.count(
            orders.stream().map(OrderEvent::orderId).toList(),
            decisions.stream().map(row -> row.substring(0, row.indexOf(' '))).toList())
        .with(violations);
  }
}
