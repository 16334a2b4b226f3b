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

/**
 * Reads from shop and store the state that an interrupted consumer left, independently of its
 * reports.
 */
final class StoreInspector {

  private static final int AT_ONCE = 500;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long TICK_MILLIS = 100;

  private final Stores stores;
  private final MarkIds ids;
  private final Sessions sessions;

  /** The sessions that must have ended before the effects of a consumer are read. */
  enum Sessions {
    /** All sessions, because no other consumer runs. */
    ALL,
    /** The sessions of the consumer; other consumers run. */
    OF_CONSUMER,
    /** No session: effect and mark become visible at the same time, in one transaction. */
    NONE
  }

  StoreInspector(Stores stores, MarkIds ids, Sessions sessions) {
    this.stores = stores;
    this.ids = ids;
    this.sessions = sessions;
  }

  /** Returns the orders that a killed process wrote to the ledger and whose mark is not DONE. */
  Set<String> inDoubt(long consumer) throws SQLException, InterruptedException {
    if (sessions != Sessions.NONE) {
      stores.awaitDisconnected(waitedFor(consumer));
    }
    return compare(consumer);
  }

  /** Returns the same orders for a paused process. */
  Set<String> inDoubtAtRest(long consumer) throws SQLException, InterruptedException {
    if (sessions != Sessions.NONE) {
      stores.awaitQuiet(waitedFor(consumer));
    }
    return compare(consumer);
  }

  private Optional<String> waitedFor(long consumer) {
    return sessions == Sessions.ALL ? Optional.empty() : Optional.of(Consumers.name(consumer));
  }

  private Set<String> compare(long consumer) throws SQLException, InterruptedException {
    try (Connection connection = stores.connect()) {
      return notDone(Set.copyOf(Shop.ordersOf(connection, consumer)));
    }
  }

  /** Returns those of the orders whose mark is not DONE now. */
  Set<String> notDone(Set<String> orders) throws InterruptedException {
    List<String> all = List.copyOf(orders);
    Set<String> notDone = new HashSet<>(orders);
    try (HikariDataSource pool = pool();
        DedupStore marks = stores.marks().open(pool)) {
      for (int from = 0; from < all.size(); from += AT_ONCE) {
        List<String> some = all.subList(from, Math.min(all.size(), from + AT_ONCE));
        List<Optional<Mark>> found = find(
            marks,
            some.stream()
                .map(order -> MessageKey.of(HapaxConsumer.NAME, ids.of(order)))
                .toList());
        for (int i = 0; i < some.size(); i++) {
          if (found.get(i).filter(mark -> mark.state() == MarkState.DONE).isPresent()) {
            notDone.remove(some.get(i));
          }
        }
      }
    }
    return notDone;
  }

  /** Returns the orders that have taken effect. */
  Set<String> effects() throws SQLException {
    try (Connection connection = stores.connect()) {
      return Shop.ledger(connection).stream().map(LedgerRow::orderId).collect(Collectors.toSet());
    }
  }

  /** Audits the whole topic after all of it has been read. */
  AuditReport audit(OrderBroker broker) throws InterruptedException {
    try (HikariDataSource pool = pool();
        DedupStore marks = stores.marks().open(pool)) {
      return broker.audit(marks, ids);
    }
  }

  private HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(stores.url());
    config.setMaximumPoolSize(1);
    return new HikariDataSource(config);
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
}
