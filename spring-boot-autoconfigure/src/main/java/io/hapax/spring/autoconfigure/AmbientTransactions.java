package io.hapax.spring.autoconfigure;

import io.hapax.IdempotentExecutor;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Refuses calls of a leased executor inside a transaction of Spring. The effect would join that
 * transaction, the executor would mark it DONE, and a later rollback would lose it.
 */
final class AmbientTransactions {

  private static final boolean PRESENT = ClassUtils.isPresent(
      "org.springframework.transaction.support.TransactionSynchronizationManager",
      AmbientTransactions.class.getClassLoader());

  private AmbientTransactions() {}

  /** Adds the check to an executor, if spring-tx is present. */
  static void refuse(String name, IdempotentExecutor executor) {
    if (PRESENT) {
      executor.addPrecondition(() -> Check.refuse(name));
    }
  }

  /** Is not loaded without spring-tx. */
  private static final class Check {

    static void refuse(String name) {
      if (TransactionSynchronizationManager.isActualTransactionActive()) {
        throw new IllegalStateException("execute of executor '" + name + "' was called inside a"
            + " transaction of Spring but must not be in leased mode: the executor would mark the"
            + " call DONE before that transaction commits, and a rollback would lose its effect."
            + " Call it outside the transaction, or build an executor with transactional(store)");
      }
    }
  }
}
