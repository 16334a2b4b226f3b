package io.hapax.spring.transaction;

import io.hapax.store.BrokenTransactionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.apache.ibatis.session.ExecutorType;
import org.mybatis.spring.SqlSessionHolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** Listens to the end of a transaction: exceptions do not say whether anything was committed. */
final class FramedTransaction implements TransactionSynchronization {

  private static final Logger LOG = LoggerFactory.getLogger(FramedTransaction.class);

  /** By name, because an application may not have it. */
  private static final String KAFKA_TRANSACTION =
      "org.springframework.kafka.core.KafkaResourceHolder";

  private static final boolean MYBATIS = ClassUtils.isPresent(
      "org.mybatis.spring.SqlSessionHolder", FramedTransaction.class.getClassLoader());

  private final TransactionStatus status;
  private final Connection connection;
  private final Suspensions suspensions;
  private boolean committing;
  private boolean commitSent;
  private boolean committed;

  FramedTransaction(TransactionStatus status, Connection connection, Suspensions suspensions) {
    this.status = status;
    this.connection = connection;
    this.suspensions = suspensions;
  }

  /** Returns the transaction of this thread. */
  static Optional<FramedTransaction> current() {
    return TransactionSynchronizationManager.isSynchronizationActive()
        ? TransactionSynchronizationManager.getSynchronizations().stream()
            .filter(FramedTransaction.class::isInstance)
            .map(FramedTransaction.class::cast)
            .findFirst()
        : Optional.empty();
  }

  /**
   * Writes what the application has buffered: a message that clears a persistence context would
   * lose what earlier ones left in it. Entities stay there, because locks and callbacks at the
   * commit need them.
   */
  void flushed() {
    requireCommittable();
    if (MYBATIS) {
      MyBatisSessions.flush();
    }
    status.flush();
    requireCommittable();
  }

  private void requireCommittable() {
    if (status.isRollbackOnly()) {
      throw new BrokenTransactionException(
          "the transaction is marked for rollback only, so everything was rolled back: a"
              + " @Transactional method threw and the listener went on. Let the listener throw, or"
              + " name the exception in noRollbackFor of that method");
    }
    boolean sendsLater = TransactionSynchronizationManager.getResourceMap().values().stream()
        .anyMatch(each -> each.getClass().getName().equals(KAFKA_TRANSACTION));
    if (sendsLater) {
      throw new BrokenTransactionException(
          "the listener sent records in a Kafka transaction that commits after the marks, so they"
              + " would be lost if the process or that commit failed in between. Send them within"
              + " executeInTransaction of the KafkaTemplate, or set mode to leased");
    }
  }

  /** Flushes what earlier callbacks wrote, and checks. From then on the database may commit. */
  void committing(Runnable check) {
    committing = true;
    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
      @Override
      public void beforeCommit(boolean readOnly) {
        flushed();
        check.run();
        commitSent = true;
      }
    });
  }

  boolean commitSent() {
    return commitSent;
  }

  boolean committed() {
    return committed;
  }

  @Override
  public void suspend() {
    suspensions.found();
  }

  /**
   * Ends a transaction that Spring left open. After a callback threw a TransactionException, or
   * after a rollback failed, Spring turns autocommit on, and that commits on most databases.
   */
  @Override
  public void afterCompletion(int outcome) {
    committed = outcome == STATUS_COMMITTED;
    if (outcome == STATUS_UNKNOWN || (committing && !committed)) {
      try {
        connection.rollback();
      } catch (SQLException | RuntimeException e) {
        abort(e);
      }
    }
  }

  private void abort(Exception because) {
    LOG.warn("Could not roll back; aborting the connection", because);
    try {
      connection.abort(Runnable::run);
    } catch (SQLException | RuntimeException e) {
      LOG.warn("Could not abort a connection", e);
    }
  }

  /** The sessions of MyBatis. Not loaded without MyBatis. */
  private static final class MyBatisSessions {

    /**
     * Sends the statements that MyBatis keeps back in a batch. Without it MyBatis sends them at the
     * commit, after the store has checked the transaction. Also clears the results that MyBatis
     * keeps, which other statements of the transaction may have changed.
     */
    static void flush() {
      for (Object resource : TransactionSynchronizationManager.getResourceMap().values()) {
        if (resource instanceof SqlSessionHolder holder) {
          if (holder.getExecutorType() == ExecutorType.BATCH) {
            holder.getSqlSession().flushStatements();
          }
          holder.getSqlSession().clearCache();
        }
      }
    }
  }
}
