package io.hapax.chaos;

import io.hapax.demo.Effect;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Order;
import io.hapax.demo.Shop;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * Processes messages as a consumer without Hapax does: it takes each order into effect and
 * acknowledges afterwards. This is at least once: a producer's duplicate, a crash with a batch in
 * flight and a replay all repeat effects. Thread-safe.
 */
final class NaiveHandler {

  private final long number;
  private final DataSource database;
  private final Reports reports;
  private final PauseGate gate;

  NaiveHandler(long number, DataSource database, Reports reports, PauseGate gate) {
    this.number = number;
    this.database = database;
    this.reports = reports;
    this.gate = gate;
  }

  /** Takes the orders into effect, each in its own transaction. */
  void handle(List<Received> batch) throws SQLException, InterruptedException {
    reports.started(batch.stream().map(Received::inFlight).toList());
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < batch.size(); i++) {
        Order order = batch.get(i).order();
        Shop.apply(
            connection, List.of(new Effect(order, new LedgerRow(order.id(), 0, 0, false, number))));
        connection.commit();
        gate.count(1);
        if (i == batch.size() / 2) {
          gate.pauseIfReached();
        }
      }
    }
  }

  /** Reports the batch. Call it after the acknowledgement. */
  void acknowledged(List<Received> batch) {
    batch.forEach(received -> reports.ended(received.inFlight(), Reports.Ending.EXECUTED));
  }

  /**
   * An order with the place of its message.
   *
   * @param place the place of its message, for example {@code orders-3@1507}
   * @param order the order
   */
  record Received(String place, Order order) {

    private Reports.InFlight inFlight() {
      return new Reports.InFlight(place, order.id());
    }
  }
}
