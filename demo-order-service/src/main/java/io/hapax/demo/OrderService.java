package io.hapax.demo;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.IdempotentReceiver;
import io.hapax.health.Problem;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.redis.RedisDedupStore;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * The order service as in production: Hapax with its defaults, without the reports and pauses of a
 * run. Each order becomes a row of the ledger and reduces the inventory.
 */
record OrderService<M>(
    ServiceSettings settings, OrderChannel<M> channel, DataSource database, ServiceMeters meters) {

  private static final Duration CHECK_INTERVAL = Duration.ofMillis(200);

  /**
   * Handles orders until the process is asked to end, and then ends normally. Fails if a server is
   * not available, or if reading ends by itself.
   */
  static void run(ServiceSettings settings, Termination termination, Consumer<String> ready)
      throws IOException, SQLException, InterruptedException {
    try (HikariDataSource database = settings.database().open()) {
      String about = prepare(database);
      try (OrderChannel<?> channel = settings.channel().open();
          ServiceMeters meters = new ServiceMeters(settings.channel().group())) {
        channel.create(OrderChannel.PARTITIONS);
        new OrderService<>(settings, channel, database, meters)
            .run(termination, () -> ready.accept(settings.title(about)));
      }
    }
  }

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
    OrderHandler<M> handler =
        new OrderHandler<>(channel::body, database, ProcessHandle.current().pid(), OrderWatch.NONE);
    if (settings.mode() == Mode.TRANSACTIONAL) {
      try (JdbcDedupStore store = marksInShop();
          IdempotentReceiver<M> receiver =
              handler.transactional(meters.of(channel.receiver()), store)) {
        read(receiver, termination, ready);
      }
    } else {
      try (DedupStore store = marks();
          IdempotentReceiver<M> receiver = handler.leased(meters.of(channel.receiver()), store)) {
        read(receiver, termination, ready);
      }
    }
  }

  private DedupStore marks() {
    return settings
        .redis()
        .<DedupStore>map(
            uri -> meters.of(RedisDedupStore.builder(RedisURI.create(uri)).build()))
        .orElseGet(this::marksInShop);
  }

  private JdbcDedupStore marksInShop() {
    return meters.of(JdbcDedupStore.builder(database).createIfAbsent().build());
  }

  private void read(IdempotentReceiver<M> receiver, Termination termination, Runnable ready)
      throws IOException, InterruptedException {
    try (OrderChannel.Subscription reading = channel.read(receiver);
        LoopbackServer health =
            Health.start(settings.healthPort(), () -> texts(reading.problems()), meters::scrape)) {
      meters.bind(receiver, reading);
      ready.run();
      while (!termination.await(CHECK_INTERVAL)) {
        reading.mustRun();
      }
    }
  }

  /** Returns what makes the service unready: no partition that waits by plan. */
  private static List<String> texts(List<Problem> problems) {
    return problems.stream()
        .filter(it -> it.kind() != Problem.Kind.PARTITION_WAITING)
        .map(Problem::text)
        .toList();
  }
}
