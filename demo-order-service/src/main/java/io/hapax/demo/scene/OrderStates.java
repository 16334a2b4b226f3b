package io.hapax.demo.scene;

import io.hapax.errors.DeferredException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The states of orders. A change of state is a conditional update: the database compares the
 * present state and changes it in one statement. The table of changes has no unique key, so that a
 * repeated change shows.
 *
 * @param pause how long an event waits whose predecessor is missing
 */
record OrderStates(Duration pause) {

  static void create(Connection connection) throws SQLException {
    Sql.createAfresh(
        connection, "order_state", "order_id VARCHAR(60) PRIMARY KEY, state VARCHAR(20) NOT NULL");
    Sql.createAfresh(
        connection, "order_change", "order_id VARCHAR(60) NOT NULL, state VARCHAR(20) NOT NULL");
  }

  /** Changes the state of an order. A late event changes nothing, and an early one is deferred. */
  String change(Connection transaction, OrderEvent event) throws SQLException {
    OrderState to = OrderState.valueOf(event.type());
    if (updated(transaction, event.orderId(), to)) {
      Sql.update(transaction, "INSERT INTO order_change VALUES (?, ?)", event.orderId(), to.name());
      return "";
    }
    List<String> present = state(transaction, event.orderId());
    if (present.isEmpty() || to.canFollow(OrderState.valueOf(present.get(0)))) {
      throw new DeferredException(pause, event.id() + " waits for one of " + to.before());
    }
    return "";
  }

  private static boolean updated(Connection transaction, String order, OrderState to)
      throws SQLException {
    if (to.before().isEmpty()) {
      return state(transaction, order).isEmpty()
          && Sql.update(transaction, "INSERT INTO order_state VALUES (?, ?)", order, to.name())
              == 1;
    }
    String before = to.before().stream()
        .map(state -> "'" + state.name() + "'")
        .collect(Collectors.joining(", "));
    return Sql.update(
            transaction,
            "UPDATE order_state SET state = ? WHERE order_id = ? AND state IN (" + before + ")",
            to.name(),
            order)
        == 1;
  }

  /** Sets the state to that of the event, as code does that expects events in order, and once. */
  static String overwrite(Connection transaction, OrderEvent event) throws SQLException {
    int changed = Sql.update(
        transaction,
        "UPDATE order_state SET state = ? WHERE order_id = ?",
        event.type(),
        event.orderId());
    if (changed == 0 && event.type().equals(OrderState.CREATED.name())) {
      Sql.update(
          transaction, "INSERT INTO order_state VALUES (?, ?)", event.orderId(), event.type());
    }
    Sql.update(
        transaction, "INSERT INTO order_change VALUES (?, ?)", event.orderId(), event.type());
    return "";
  }

  /** Returns the state of an order; empty if there is no such order. */
  static List<String> state(Connection connection, String order) throws SQLException {
    return Sql.rows(connection, "SELECT state FROM order_state WHERE order_id = ?", order);
  }

  /** Returns the changes of all orders, each as an order's id, a slash and a state. */
  static List<String> changes(Connection connection) throws SQLException {
    return Sql.rows(connection, "SELECT order_id, state FROM order_change").stream()
        .map(row -> row.replace(' ', '/'))
        .toList();
  }
}
