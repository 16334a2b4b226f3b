package io.hapax.spring.transaction;

import io.hapax.jdbc.TransactionFrame;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.StoreException;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs marks and listener in a transaction of Spring, so that the repositories and
 * {@code @Transactional} services which the listener calls write in the same transaction.
 *
 * <p><b>The manager</b> must bind the connections of the store's DataSource to the thread, as those
 * for JDBC, JPA and Hibernate do. A JTA manager does not, and a manager that commits several
 * resources one after the other cannot keep marks and effects together. {@link #of} refuses both.
 *
 * <p><b>The transaction</b> is READ COMMITTED and always a new one: a transaction that the calling
 * thread is already in is suspended. That needs a second connection. Its name is {@code hapax}.
 *
 * <p><b>What belongs to it.</b> A service with the propagation REQUIRED, MANDATORY or SUPPORTS
 * joins it, and with NESTED if the manager has savepoints. What a service writes with REQUIRES_NEW
 * or NOT_SUPPORTED commits on its own and remains if the mark rolls back; the frame logs a warning
 * for each such place. The same holds for other transaction managers and other threads, which the
 * frame cannot see. Before the store checks its marks, the frame flushes JPA and the batches of
 * MyBatis, so that what they find is the listener's failure. If a joined service failed and the
 * listener went on, the transaction is broken.
 *
 * <p><b>A listener that ends the transaction</b> by COMMIT, by a schema change or by the
 * connection's own method breaks this promise. The store finds it after the listener has returned
 * or failed, and takes the marks back: the messages are in doubt and run again.
 *
 * <p><b>Callbacks.</b> A callback before the commit belongs to the transaction, and its failure
 * rolls the transaction back. After the last one, the store checks again that the transaction holds
 * the marks. A {@code beforeCompletion} callback runs after this check and must not execute SQL: if
 * it ends the transaction, the message is acknowledged without its effect. A callback after the
 * commit runs once for the whole batch, and a crash before it loses it. Its failure is logged only.
 *
 * <p><b>Crash.</b> A crash before the commit leaves neither mark nor effect, a crash after it
 * leaves both. After a rollback that failed, Spring turns autocommit on, which commits on most
 * databases. The frame therefore aborts such a connection.
 *
 * <p>Safe for use by many threads.
 */
public final class SpringTransactionFrame implements TransactionFrame {

  private static final Logger LOG = LoggerFactory.getLogger(SpringTransactionFrame.class);
  private static final TransactionDefinition NEW = definition();

  private final PlatformTransactionManager manager;
  private final DataSource database;
  private final Suspensions suspensions = new Suspensions();

  private SpringTransactionFrame(PlatformTransactionManager manager, DataSource database) {
    this.manager = manager;
    this.database = database;
  }

  private static TransactionDefinition definition() {
    DefaultTransactionDefinition definition =
        new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    definition.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
    definition.setName("hapax");
    return definition;
  }

  /**
   * Makes a frame, and tries it with an empty transaction that it rolls back.
   *
   * @param manager begins and ends the transactions
   * @param dataSource the DataSource that holds the marks; proxies of Spring are unwrapped
   * @return the frame
   * @throws IllegalArgumentException if the manager's transactions are not on this DataSource, or
   *     if they cannot be new, READ COMMITTED ones
   * @throws StoreException if the database does not answer
   */
  public static SpringTransactionFrame of(
      PlatformTransactionManager manager, DataSource dataSource) {
    if (!(manager instanceof ResourceTransactionManager)) {
      throw new IllegalArgumentException(
          "the transaction manager " + manager.getClass().getName()
              + " is not the manager of one resource: marks and effects could commit one without the"
              + " other");
    }
    SpringTransactionFrame frame =
        new SpringTransactionFrame(manager, DataSources.withoutProxies(dataSource));
    frame.tryOut();
    return frame;
  }

  /**
   * Begins a message in this thread's transaction. Call it before each of the messages that share a
   * transaction. It writes what earlier messages have left in the sessions of JPA and MyBatis, and
   * clears MyBatis' cache. The entities of earlier messages stay in the persistence context.
   * Without a transaction of a frame this method does nothing.
   *
   * @throws RuntimeException if what an earlier message has written is refused; the transaction
   *     must roll back
   */
  public static void beginMessage() {
    FramedTransaction.current().ifPresent(FramedTransaction::flushed);
  }

  private void tryOut() {
    TransactionStatus status;
    try {
      status = manager.getTransaction(NEW);
    } catch (TransactionException e) {
      throw new StoreException(
          "the transaction manager " + manager.getClass().getName()
              + " cannot begin a new READ COMMITTED transaction",
          e);
    }
    @Nullable String problem = problem();
    manager.rollback(status);
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
  }

  private @Nullable String problem() {
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      return "the transaction manager " + manager.getClass().getName()
          + " has transactionSynchronization NEVER but must have ALWAYS";
    }
    return DataSources.bound(database).isPresent()
        ? null
        : "the transaction manager " + manager.getClass().getName()
            + " does not bind connections of the DataSource that holds the marks ("
            + database + "): marks and effects would commit in different transactions";
  }

  @Override
  public <X extends Exception> void run(Body<X> body) throws X {
    TransactionStatus status = manager.getTransaction(NEW);
    FramedTransaction transaction;
    try {
      transaction = within(status, body);
    } catch (Throwable e) {
      rollBack(status, e);
      throw e;
    }
    commit(status, transaction);
  }

  private <X extends Exception> FramedTransaction within(TransactionStatus status, Body<X> body)
      throws X {
    @Nullable String problem = problem();
    if (problem != null) {
      throw new StoreException(problem);
    }
    DataSource bound = DataSources.bound(database).orElseThrow();
    Connection connection = DataSourceUtils.getConnection(bound);
    try {
      FramedTransaction transaction = new FramedTransaction(status, connection, suspensions);
      TransactionSynchronizationManager.registerSynchronization(transaction);
      body.in(connection, transaction::flushed);
      transaction.committing(body::beforeCommit);
      return transaction;
    } finally {
      DataSourceUtils.releaseConnection(connection, bound);
    }
  }

  private void rollBack(TransactionStatus status, Throwable because) {
    try {
      manager.rollback(status);
    } catch (RuntimeException | Error failed) {
      because.addSuppressed(failed);
    }
  }

  private void commit(TransactionStatus status, FramedTransaction transaction) {
    try {
      manager.commit(status);
    } catch (RuntimeException | Error e) {
      if (transaction.committed()) {
        LOG.error("A callback after the commit failed; the messages are done nevertheless", e);
        return;
      }
      if (!transaction.commitSent()) {
        throw e instanceof BrokenTransactionException broken
            ? broken
            : new BrokenTransactionException(
                "a callback before the commit failed, so everything was rolled back", e);
      }
      throw e;
    }
    if (!transaction.committed()) {
      throw new BrokenTransactionException(
          "a callback before the commit marked the transaction for rollback only");
    }
  }
}
