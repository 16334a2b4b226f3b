package io.hapax.demo;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * What a consumer without Hapax does with the messages that it got: take each order into effect,
 * then have them acknowledged. At least once: a producer's duplicate, a crash in mid-batch and a
 * replay all repeat effects. Thread-safe.
 */
final class NaiveHandler {

  private final long number;
  private final DataSource database;
  private final Reports reports;
  private final Brake brake;

  NaiveHandler(long number, DataSource database, Reports reports, Brake brake) {
    this.number = number;
    this.database = database;
    this.reports = reports;
    this.brake = brake;
  }

  /** Takes the orders into effect, each in a transaction of its own. */
  void handle(List<Received> batch) throws SQLException, InterruptedException {
    reports.started(batch.stream().map(Received::inFlight).toList());
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < batch.size(); i++) {
        Order order = batch.get(i).order();
        Shop.apply(
            connection, List.of(new Effect(order, new LedgerRow(order.id(), 0, 0, false, number))));
        connection.commit();
        brake.passed(1);
        if (i == batch.size() / 2) {
          brake.hold();
        }
      }
    }
  }

  /** To be called when the broker was told. */
  void acknowledged(List<Received> batch) {
    batch.forEach(received -> reports.ended(received.inFlight(), Reports.Ending.EXECUTED));
  }

  /**
   * An order as it came.
   *
   * @param place where its message lies, for example {@code orders-3@1507}
   * @param order the order
   */
  record Received(String place, Order order) {

    private Reports.InFlight inFlight() {
      return new Reports.InFlight(place, order.id());
    }
  }
}
