package io.hapax.demo;

import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
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
 * The order service on Hapax.
 *
 * @param <M> the broker client's type of a message
 */
final class HapaxConsumer<M> {

  /** The consumer's name, and so the scope of its marks. */
  static final String NAME = "order-service";

  /** Short, so that a killed owner's orders do not wait long. */
  static final Duration LEASE = Duration.ofSeconds(3);

  /** Short and always the same, so that what fails in every attempt is soon at its end. */
  private static final Duration BACKOFF = Duration.ofMillis(200);

  private final long number;
  private final OrderSource<M> source;
  private final DataSource database;
  private final Marks marks;
  private final Reports reports;
  private final Brake brake;

  HapaxConsumer(
      long number,
      OrderSource<M> source,
      DataSource database,
      Marks marks,
      Reports reports,
      Brake brake) {
    this.number = number;
    this.source = source;
    this.database = database;
    this.marks = marks;
    this.reports = reports;
    this.brake = brake;
  }

  void run(Mode mode, int maxAttempts, ParentWatch parent)
      throws IOException, InterruptedException {
    if (mode == Mode.TRANSACTIONAL) {
      try (JdbcDedupStore store = Marks.inShop(database);
          IdempotentReceiver<M> receiver =
              builder(maxAttempts).transactional(store, this::takeIntoEffect)) {
        source.feed(receiver, parent);
      }
    } else {
      try (DedupStore store = marks.open(database);
          IdempotentReceiver<M> receiver =
              builder(maxAttempts).leased(store, this::takeIntoEffectAlone)) {
        source.feed(receiver, parent);
      }
    }
  }

  private ReceiverBuilder<M> builder(int maxAttempts) {
    return source
        .receiver(NAME)
        .lease(LeaseSettings.of(LEASE))
        .retry(new RetrySettings(maxAttempts, BACKOFF, BACKOFF))
        .listener(new ReportingListener(reports));
  }

  /** The transaction is the marks' own: effects and marks stand or fall together. */
  private void takeIntoEffect(Connection transaction, List<Delivery<M>> deliveries)
      throws SQLException, InterruptedException {
    begin(deliveries);
    Shop.apply(transaction, deliveries.stream().map(this::effect).toList());
    brake.passed(deliveries.size());
    brake.hold();
  }

  /** The transaction is the shop's own: a crash after it leaves the order in doubt. */
  private void takeIntoEffectAlone(Delivery<M> delivery) throws SQLException, InterruptedException {
    begin(List.of(delivery));
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      Shop.apply(connection, List.of(effect(delivery)));
      connection.commit();
    }
    brake.passed(1);
    brake.hold();
  }

  /** A blow that falls on poison alone would hit nothing: it has no effect to be cut off. */
  private void begin(List<Delivery<M>> deliveries) throws InterruptedException {
    List<Reports.InFlight> orders = deliveries.stream()
        .filter(delivery -> !Poison.isNamed(delivery.messageId()))
        .map(HapaxConsumer::inFlight)
        .toList();
    if (!orders.isEmpty()) {
      reports.started(orders);
      brake.hold();
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
      throw new RejectedMessageException("message " + delivery.messageId() + " is no order", e);
    }
  }
}
