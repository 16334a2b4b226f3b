package io.hapax.chaos;

import io.hapax.Delivery;
import io.hapax.demo.Effect;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Mode;
import io.hapax.demo.Order;
import io.hapax.demo.OrderJson;
import io.hapax.demo.Shop;
import io.hapax.errors.RejectedMessageException;
import io.hapax.spring.CurrentDelivery;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

/** Lets an order take effect inside a listener of Spring. */
final class SpringOrders {

  private final SpringConsumer.Parts parts;
  private final TransactionTemplate transactions;

  SpringOrders(SpringConsumer.Parts parts, TransactionTemplate transactions) {
    this.parts = parts;
    this.transactions = transactions;
  }

  /**
   * Handles the message of the current delivery.
   *
   * @param body the bytes of its order
   * @throws RejectedMessageException if they are not an order
   */
  void handle(byte[] body) throws InterruptedException {
    Delivery<?> delivery = CurrentDelivery.get().orElseThrow();
    Effect effect = effect(delivery, body);
    if (!Poison.isNamed(effect.order().id())) {
      String place = delivery.claim().origin().coordinates();
      parts.reports().started(List.of(new Reports.InFlight(place, effect.order().id())));
      parts.gate().pauseIfReached();
    }
    if (parts.mode() == Mode.TRANSACTIONAL) {
      apply(effect); // in the transaction of the marks
    } else {
      transactions.executeWithoutResult(status -> apply(effect));
    }
    parts.gate().count(1);
    parts.gate().pauseIfReached();
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

  private Effect effect(Delivery<?> delivery, byte[] body) {
    Order order;
    try {
      order = OrderJson.read(body);
    } catch (UncheckedIOException e) {
      throw new RejectedMessageException("message " + delivery.messageId() + " is not an order", e);
    }
    return new Effect(
        order,
        new LedgerRow(
            order.id(),
            delivery.fencingToken(),
            delivery.attempt(),
            delivery.recovery(),
            parts.number()));
  }
}
