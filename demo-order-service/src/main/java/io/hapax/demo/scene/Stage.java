package io.hapax.demo.scene;

import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.TransactionalHandler;
import io.hapax.demo.BrokerKind;
import io.hapax.demo.scene.EventTopic.Subscription;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.mark.Bytes;
import io.hapax.store.DedupStore;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * The servers of a run of scenes: a broker, the shop's database, and a store of marks.
 *
 * @param address returns the broker's address
 * @param database the shop's database; one connection is enough
 * @param marks the store. If it is a {@link JdbcDedupStore} of the same database, the work on the
 *     shop's tables is transactional, otherwise leased
 * @param marksOfAnotherProcess opens the same marks as another process does. All receivers of one
 *     store object know what the others run, and need no lease to wait for each other
 */
public record Stage(
    BrokerKind broker,
    Supplier<String> address,
    DataSource database,
    DedupStore marks,
    Supplier<DedupStore> marksOfAnotherProcess) {

  private static final AtomicInteger PLAYS = new AtomicInteger();

  @FunctionalInterface
  public interface ShopWork {

    /**
     * Works on the shop's tables, and returns the result for duplicates; may be empty. The caller
     * commits the transaction, or rolls it back if the work throws.
     */
    String apply(Connection transaction, OrderEvent event) throws Exception;
  }

  @FunctionalInterface
  public interface Transaction<R, X extends Exception> {

    /** Works in a transaction. The caller commits it, or rolls it back if the work throws. */
    R run(Connection connection) throws X, SQLException;
  }

  /**
   * Creates a topic for one play of a scene. Its name is new on this machine, also for a broker
   * that outlives the process.
   */
  public EventTopic<?> topic(String scene, int partitions)
      throws IOException, InterruptedException {
    String name = scene + '-' + ProcessHandle.current().pid() + '-' + PLAYS.incrementAndGet();
    return EventTopic.on(broker, address.get(), name, partitions);
  }

  /**
   * Builds a receiver whose handler writes to the shop's tables: in the transaction of the mark if
   * the marks are in the shop's database, otherwise in a transaction of its own under a lease.
   */
  public <M> IdempotentReceiver<M> receiver(
      EventTopic<M> topic, ReceiverBuilder<M> builder, ShopWork work) {
    if (marks instanceof JdbcDedupStore store) {
      return builder.transactional(
          store,
          TransactionalHandler.forEach((transaction, delivery) -> store.keepResult(
              transaction, delivery.claim(), result(topic, delivery, transaction, work))));
    }
    return builder.answering(
        marks, delivery -> transact(transaction -> result(topic, delivery, transaction, work)));
  }

  /** Starts the only member of a topic's group. Each variant does its work on the shop's tables. */
  public <M> Subscription start(
      EventTopic<M> topic, Variant variant, Settled settled, ShopWork naive, ShopWork hapax)
      throws IOException {
    return variant == Variant.NAIVE
        ? topic.readNaively(
            event -> transact(transaction -> naive.apply(transaction, event)),
            settled,
            Member.ALONE)
        : topic.read(receiver(topic, topic.receiver().listener(settled), hapax), Member.ALONE);
  }

  private static <M> Bytes result(
      EventTopic<M> topic, Delivery<M> delivery, Connection transaction, ShopWork work)
      throws Exception {
    return Bytes.utf8(work.apply(transaction, topic.event(delivery.message())));
  }

  public <R, X extends Exception> R transact(Transaction<R, X> work) throws X, SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      boolean complete = false;
      try {
        R result = work.run(connection);
        connection.commit();
        complete = true;
        return result;
      } finally {
        if (!complete) {
          connection.rollback();
        }
        connection.setAutoCommit(true);
      }
    }
  }
}
