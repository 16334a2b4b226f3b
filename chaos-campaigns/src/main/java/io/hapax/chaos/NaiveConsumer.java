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
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Takes each order into effect without Hapax, in a transaction of its own. */
record NaiveConsumer(long number, DataSource database, Reports reports, ParentWatch parent)
    implements NaiveReader.Handler {

  @Override
  public Runnable handle(List<Received> batch) throws SQLException, InterruptedException {
    List<Order> orders = new ArrayList<>();
    List<Reports.InFlight> inFlight = new ArrayList<>();
    for (Received received : batch) {
      Order order = Json.read(received.body().toByteArray(), Order.class);
      orders.add(order);
      inFlight.add(new Reports.InFlight(received.place(), order.id()));
    }
    reports.started(inFlight);
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < batch.size(); i++) {
        Order order = orders.get(i);
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
    return () -> inFlight.forEach(it -> reports.ended(it, Reports.Ending.EXECUTED));
  }
}
