package io.hapax.chaos;

import io.hapax.demo.Effect;
import io.hapax.demo.Json;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Order;
import io.hapax.demo.Shop;
import io.hapax.demo.scene.NaiveReader;
import io.hapax.demo.scene.NaiveReader.Received;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Takes each order into effect without Hapax, in a transaction of its own. */
record NaiveConsumer(long number, DataSource database, Reports reports, ParentWatch parent)
    implements NaiveReader.Handler {

  @Override
  public void handle(List<Received> batch) throws SQLException, InterruptedException {
    reports.started(batch.stream().map(NaiveConsumer::inFlight).toList());
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < batch.size(); i++) {
        Order order = order(batch.get(i));
        Shop.apply(
            connection, List.of(new Effect(order, new LedgerRow(order.id(), 0, 0, false, number))));
        connection.commit();
        parent.count(1);
        if (i == batch.size() / 2) {
          parent.pauseIfReached();
        }
      }
    }
    parent.pauseIfReached();
  }

  @Override
  public void acknowledged(List<Received> batch) {
    batch.forEach(received -> reports.ended(inFlight(received), Reports.Ending.EXECUTED));
  }

  private static Reports.InFlight inFlight(Received received) {
    return new Reports.InFlight(received.place(), order(received).id());
  }

  private static Order order(Received received) {
    return Json.read(received.body().toByteArray(), Order.class);
  }
}
