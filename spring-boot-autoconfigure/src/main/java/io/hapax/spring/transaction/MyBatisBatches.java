package io.hapax.spring.transaction;

import org.apache.ibatis.session.ExecutorType;
import org.mybatis.spring.SqlSessionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Sends the statements that MyBatis keeps back in a batch. Without it MyBatis sends them at the
 * commit, after the store has checked the transaction. Used only if MyBatis is on the class path.
 */
final class MyBatisBatches {

  private MyBatisBatches() {}

  static void flush() {
    for (Object resource : TransactionSynchronizationManager.getResourceMap().values()) {
      if (resource instanceof SqlSessionHolder holder
          && holder.getExecutorType() == ExecutorType.BATCH) {
        holder.getSqlSession().flushStatements();
      }
    }
  }
}
