package io.hapax.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Shop;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.operations.audit.AuditReport;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Reads from shop and store the state that an interrupted consumer left, independently of its
 * reports.
 */
final class StoreInspector {

  private static final int AT_ONCE = 500;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long TICK_MILLIS = 100;

  private final ShopDatabase database;
  private final MarkServers servers;
  private final MarkIds ids;
  private final Sessions sessions;

  /** The database sessions that must have ended before the effects of a consumer are read. */
  enum Sessions {
    /** All sessions, because no other consumer runs. */
    ALL,
    /** The sessions of the consumer; other consumers run. */
    OF_CONSUMER,
    /** No session: effect and mark become visible at the same time, in one transaction. */
    NONE
  }

  /** Creates an inspector for runs in which only one consumer runs at a time. */
  StoreInspector(ShopDatabase database, MarkServers servers, MarkIds ids) {
    this(database, servers, ids, Sessions.ALL);
  }

  StoreInspector(ShopDatabase database, MarkServers servers, MarkIds ids, Sessions sessions) {
    this.database = database;
    this.servers = servers;
    this.ids = ids;
    this.sessions = sessions;
  }

  /** Returns the orders that a killed process wrote to the ledger and whose mark is not DONE. */
  Set<String> inDoubt(long consumer) throws SQLException, InterruptedException {
    switch (sessions) {
      case ALL -> {
        database.awaitDisconnected();
        servers.awaitDisconnected();
      }
      case OF_CONSUMER -> {
        database.awaitDisconnected(Consumers.name(consumer));
        servers.awaitDisconnected(Consumers.name(consumer));
      }
      case NONE -> {}
    }
    return compare(consumer);
  }

  /** Returns the same orders for a paused process. */
  Set<String> inDoubtAtRest(long consumer) throws SQLException, InterruptedException {
    switch (sessions) {
      case ALL -> database.awaitQuiet();
      case OF_CONSUMER -> database.awaitQuiet(Consumers.name(consumer));
      case NONE -> {}
    }
    return compare(consumer);
  }

  /** Returns those of the orders whose mark is not DONE now. */
  Set<String> notDone(Set<String> orders) throws SQLException, InterruptedException {
    try (HikariDataSource pool = pool()) {
      return notDone(List.copyOf(orders), pool);
    }
  }

  /** Returns the orders that have taken effect. */
  Set<String> effects() throws SQLException {
    try (Connection connection = database.connect()) {
      return Shop.ledger(connection).stream().map(LedgerRow::orderId).collect(Collectors.toSet());
    }
  }

  /** Audits the whole topic after all of it has been read. */
  AuditReport audit(OrderBroker broker) throws InterruptedException {
    try (HikariDataSource pool = pool();
        DedupStore marks = servers.marks().open(pool)) {
      return broker.audit(marks, ids);
    }
  }

  private Set<String> compare(long consumer) throws SQLException, InterruptedException {
    try (HikariDataSource pool = pool()) {
      return notDone(effectsOf(consumer, pool), pool);
    }
  }

  private HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setMaximumPoolSize(1);
    return new HikariDataSource(config);
  }

  private Set<String> notDone(List<String> orders, DataSource pool) throws InterruptedException {
    try (DedupStore marks = servers.marks().open(pool)) {
      Set<String> inDoubt = new HashSet<>();
      for (int from = 0; from < orders.size(); from += AT_ONCE) {
        List<String> some = orders.subList(from, Math.min(orders.size(), from + AT_ONCE));
        List<Optional<Mark>> found = find(
            marks,
            some.stream()
                .map(order -> MessageKey.of(HapaxConsumer.NAME, ids.of(order)))
                .toList());
        for (int i = 0; i < some.size(); i++) {
          if (found.get(i).filter(mark -> mark.state() == MarkState.DONE).isEmpty()) {
            inDoubt.add(some.get(i));
          }
        }
      }
      return inDoubt;
    }
  }

  /**
   * Reads marks, and asks again. A cluster answers nothing until it has noticed that a node is
   * back.
   */
  private static List<Optional<Mark>> find(DedupStore marks, List<MessageKey> keys)
      throws InterruptedException {
    for (long begin = System.nanoTime(); ; TimeUnit.MILLISECONDS.sleep(TICK_MILLIS)) {
      try {
        return marks.find(keys);
      } catch (StoreException e) {
        if (System.nanoTime() - begin > TIMEOUT.toNanos()) {
          throw e;
        }
      }
    }
  }

  private static List<String> effectsOf(long consumer, DataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return Shop.ordersOf(connection, consumer);
    }
  }
}
