package io.hapax.chaos;

import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
import io.hapax.demo.Effect;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Mode;
import io.hapax.demo.Order;
import io.hapax.demo.Shop;
import io.hapax.errors.RejectedMessageException;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.store.DedupStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * Runs the order service on Hapax.
 *
 * @param <M> the broker client's type of a message
 */
final class HapaxConsumer<M> {

  /** The consumer's name and the scope of its marks. */
  static final String NAME = "order-service";

  /** Short, so that the orders of a killed owner do not wait long. */
  static final Duration LEASE = Duration.ofSeconds(3);

  /** Short and constant, so that an order that always fails soon becomes dead. */
  static final Duration BACKOFF = Duration.ofMillis(200);

  private final long number;
  private final OrderSource<M> source;
  private final DataSource database;
  private final Marks marks;
  private final Reports reports;
  private final PauseGate gate;

  HapaxConsumer(
      long number,
      OrderSource<M> source,
      DataSource database,
      Marks marks,
      Reports reports,
      PauseGate gate) {
    this.number = number;
    this.source = source;
    this.database = database;
    this.marks = marks;
    this.reports = reports;
    this.gate = gate;
  }

  void run(Mode mode, int maxAttempts, ParentWatch parent)
      throws IOException, InterruptedException {
    if (mode == Mode.TRANSACTIONAL) {
      try (JdbcDedupStore store = Marks.inShop(database);
          IdempotentReceiver<M> receiver =
              builder(maxAttempts).transactional(store, this::applyEffects)) {
        source.feed(receiver, parent);
      }
    } else {
      try (DedupStore store = marks.open(database);
          IdempotentReceiver<M> receiver =
              builder(maxAttempts).leased(store, this::applyInOwnTransaction)) {
        source.feed(receiver, parent);
      }
    }
  }

  private ReceiverBuilder<M> builder(int maxAttempts) {
    return source
        .receiver(NAME)
        .lease(LeaseSettings.of(LEASE))
        .retry(new RetrySettings(maxAttempts, BACKOFF, BACKOFF))
        .listener(new ReportingListener(reports, MarkIds.PLAIN));
  }

  /** Writes the effects in the transaction of the marks: both commit or neither does. */
  private void applyEffects(Connection transaction, List<Delivery<M>> deliveries)
      throws SQLException, InterruptedException {
    begin(deliveries);
    Shop.apply(transaction, deliveries.stream().map(this::effect).toList());
    gate.count(deliveries.size());
    gate.pauseIfReached();
  }

  /**
   * Writes the effect in a transaction of its own: a crash after its commit leaves the order in
   * doubt.
   */
  private void applyInOwnTransaction(Delivery<M> delivery)
      throws SQLException, InterruptedException {
    begin(List.of(delivery));
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      Shop.apply(connection, List.of(effect(delivery)));
      connection.commit();
    }
    gate.count(1);
    gate.pauseIfReached();
  }

  /**
   * Pauses only if an order in the batch can take effect. A fault that hits poison alone would
   * prove nothing.
   */
  private void begin(List<Delivery<M>> deliveries) throws InterruptedException {
    List<Reports.InFlight> orders = deliveries.stream()
        .filter(delivery -> !Poison.isNamed(delivery.messageId()))
        .map(HapaxConsumer::inFlight)
        .toList();
    if (!orders.isEmpty()) {
      reports.started(orders);
      gate.pauseIfReached();
    }
  }

  private static Reports.InFlight inFlight(Delivery<?> delivery) {
    return new Reports.InFlight(delivery.claim().origin().coordinates(), delivery.messageId());
  }

  private Effect effect(Delivery<M> delivery) {
    Order order = order(delivery);
    return new Effect(
        order,
        new LedgerRow(
            order.id(), delivery.fencingToken(), delivery.attempt(), delivery.recovery(), number));
  }

  private Order order(Delivery<M> delivery) {
    try {
      return source.order(delivery.message());
    } catch (UncheckedIOException e) {
      throw new RejectedMessageException("message " + delivery.messageId() + " is not an order", e);
    }
  }
}
