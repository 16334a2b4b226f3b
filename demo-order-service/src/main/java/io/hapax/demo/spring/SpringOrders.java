package io.hapax.demo.spring;

import io.hapax.Delivery;
import io.hapax.demo.Effect;
import io.hapax.demo.Mode;
import io.hapax.demo.Shop;
import io.hapax.spring.CurrentDelivery;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

record SpringOrders(SpringParts parts, TransactionTemplate transactions) {

  /** Handles the message of the current delivery. Bytes that are not an order are rejected. */
  void handle(byte[] body) throws InterruptedException {
    Delivery<?> delivery = CurrentDelivery.get().orElseThrow();
    Effect effect = Effect.of(delivery, body, parts.consumer());
    parts.watch().beforeEffects(List.of(delivery));
    if (parts.mode() == Mode.TRANSACTIONAL) {
      apply(effect); // in the transaction of the marks
    } else {
      transactions.executeWithoutResult(status -> apply(effect));
    }
    parts.watch().afterEffects(1);
  }

  private void apply(Effect effect) {
    Connection connection = DataSourceUtils.getConnection(parts.database());
    try {
      Shop.apply(connection, List.of(effect));
    } catch (SQLException e) {
      throw new IllegalStateException("the effect was not written", e);
    } finally {
      DataSourceUtils.releaseConnection(connection, parts.database());
    }
  }
}
