package io.hapax.chaos;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Mode;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.Shop;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
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
 * Reads what an interrupted consumer left in shop and store, independently of its reports.
 *
 * @param alone whether no other consumers run beside an inspected one
 */
record StoreInspector(CampaignStores stores, MarkIds ids, boolean alone, Mode mode) {

  private static final int AT_ONCE = 500;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long TICK_MILLIS = 100;

  /**
   * Returns the orders that a killed or paused process wrote to the ledger and whose mark is not
   * DONE. In a transaction both become visible at once. Others may use the database then.
   */
  Set<String> inDoubt(long consumer, boolean killed) throws SQLException, InterruptedException {
    if (alone || mode == Mode.LEASED) {
      stores.awaitQuiet(alone ? Optional.empty() : Optional.of(Consumers.name(consumer)), killed);
    }
    try (Connection connection = stores.connect()) {
      return notDone(Set.copyOf(Shop.ordersOf(connection, consumer)));
    }
  }

  Set<String> notDone(Set<String> orders) throws InterruptedException {
    List<String> all = List.copyOf(orders);
    Set<String> notDone = new HashSet<>(orders);
    try (HikariDataSource pool = stores.pool(1, TIMEOUT);
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

  Set<String> effects() throws SQLException {
    try (Connection connection = stores.connect()) {
      return Shop.ledger(connection).stream().map(LedgerRow::orderId).collect(Collectors.toSet());
    }
  }

  AuditReport audit(OrderBroker broker) throws InterruptedException {
    try (HikariDataSource pool = stores.pool(1, TIMEOUT);
        DedupStore marks = stores.marks().open(pool)) {
      return broker
          .operations(ids)
          .audit(marks, AuditProgress.NONE)
          .run(TopicPart.all(OrderChannel.TOPIC), StartingPoint.beginning());
    }
  }

  /** Asks again: a cluster answers nothing until it has noticed that a node is back. */
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
