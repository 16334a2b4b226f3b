package io.hapax.demo;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.errors.RejectedMessageException;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.redis.RedisDedupStore;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * The order service as it would run in production: Hapax as it comes, with nothing that reports to
 * a run or slows an order down. Each order becomes a row of the ledger and leaves the inventory.
 *
 * @param <M> the broker client's type of a message
 */
final class OrderService<M> {

  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  private final ServiceSettings settings;
  private final OrderChannel<M> channel;
  private final DataSource database;
  private final long pid = ProcessHandle.current().pid();

  private OrderService(ServiceSettings settings, OrderChannel<M> channel, DataSource database) {
    this.settings = settings;
    this.channel = channel;
    this.database = database;
  }

  /**
   * Takes orders into effect until it is asked to end, and then ends in good order.
   *
   * @param ready is told what it does, as soon as it reads
   * @throws IOException if the broker or the health port cannot be had, or reading ended by itself
   * @throws SQLException if the database cannot be had
   */
  static void run(ServiceSettings settings, Termination termination, Consumer<String> ready)
      throws IOException, SQLException, InterruptedException {
    try (HikariDataSource database = settings.database().open()) {
      String about = prepare(database);
      try (OrderChannel<?> channel = settings.channel().open()) {
        channel.create();
        new OrderService<>(settings, channel, database)
            .run(termination, () -> ready.accept(settings.title(about)));
      }
    }
  }

  /** Makes the shop's tables if they are missing, and says which database it is. */
  private static String prepare(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection()) {
      Shop.open(connection);
      return connection.getMetaData().getDatabaseProductName()
          + ' '
          + connection.getMetaData().getDatabaseProductVersion();
    }
  }

  private void run(Termination termination, Runnable ready)
      throws IOException, InterruptedException {
    if (settings.mode() == Mode.TRANSACTIONAL) {
      try (JdbcDedupStore store = marksInShop();
          IdempotentReceiver<M> receiver =
              channel.receiver().transactional(store, this::takeIntoEffect)) {
        read(receiver, termination, ready);
      }
    } else {
      try (DedupStore store = marks();
          IdempotentReceiver<M> receiver =
              channel.receiver().leased(store, this::takeIntoEffectAlone)) {
        read(receiver, termination, ready);
      }
    }
  }

  private DedupStore marks() {
    return settings
        .redis()
        .<DedupStore>map(uri -> RedisDedupStore.builder(RedisURI.create(uri)).build())
        .orElseGet(this::marksInShop);
  }

  private JdbcDedupStore marksInShop() {
    return JdbcDedupStore.builder(database).createIfAbsent().build();
  }

  private void read(IdempotentReceiver<M> receiver, Termination termination, Runnable ready)
      throws IOException, InterruptedException {
    try (OrderChannel.Reading reading = channel.read(receiver);
        Health health = Health.tell(settings.healthPort(), reading::problems)) {
      ready.run();
      while (!termination.await(LOOK_EVERY)) {
        reading.mustRun();
      }
    }
  }

  /** The transaction is the marks' own: effects and marks stand or fall together. */
  private void takeIntoEffect(Connection transaction, List<Delivery<M>> deliveries)
      throws SQLException {
    Shop.apply(transaction, deliveries.stream().map(this::effect).toList());
  }

  /** The transaction is the shop's own: a crash after it leaves the order in doubt. */
  private void takeIntoEffectAlone(Delivery<M> delivery) throws SQLException {
    Effect effect = effect(delivery);
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      Shop.apply(connection, List.of(effect));
      connection.commit();
    }
  }

  private Effect effect(Delivery<M> delivery) {
    return new Effect(
        order(delivery),
        new LedgerRow(
            delivery.messageId(),
            delivery.fencingToken(),
            delivery.attempt(),
            delivery.recovery(),
            pid));
  }

  private Order order(Delivery<M> delivery) {
    try {
      return channel.order(delivery.message());
    } catch (UncheckedIOException e) {
      throw new RejectedMessageException("message " + delivery.messageId() + " is no order", e);
    }
  }
}
