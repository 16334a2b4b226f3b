package io.hapax.demo;

import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.store.DedupStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;

/** The handler of the order service: it lets each order take effect in the shop. */
public record OrderHandler<M>(
    Function<M, byte[]> body, DataSource database, long consumer, OrderWatch watch) {

  public IdempotentReceiver<M> transactional(ReceiverBuilder<M> receiver, JdbcDedupStore store) {
    return receiver.transactional(store, this::applyEffects);
  }

  public IdempotentReceiver<M> leased(ReceiverBuilder<M> receiver, DedupStore store) {
    return receiver.leased(store, this::applyInOwnTransaction);
  }

  /** Writes the effects in the transaction of the marks: both commit or neither does. */
  private void applyEffects(Connection transaction, List<Delivery<M>> deliveries)
      throws SQLException, InterruptedException {
    watch.beforeEffects(deliveries);
    Shop.apply(transaction, deliveries.stream().map(this::effect).toList());
    watch.afterEffects(deliveries.size());
  }

  /** Writes the effect in its own transaction. A crash after the commit leaves it in doubt. */
  private void applyInOwnTransaction(Delivery<M> delivery)
      throws SQLException, InterruptedException {
    watch.beforeEffects(List.of(delivery));
    Effect effect = effect(delivery);
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      Shop.apply(connection, List.of(effect));
      connection.commit();
    }
    watch.afterEffects(1);
  }

  private Effect effect(Delivery<M> delivery) {
    return Effect.of(delivery, body.apply(delivery.message()), consumer);
  }
}
