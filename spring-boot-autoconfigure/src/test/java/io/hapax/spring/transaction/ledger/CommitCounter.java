package io.hapax.spring.transaction.ledger;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/** Counts what the transaction manager commits. */
@Component
public class CommitCounter implements TransactionExecutionListener {

  /** The commits so far. */
  public final AtomicInteger commits = new AtomicInteger();

  @Override
  public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
    if (failure == null && transaction.isNewTransaction()) {
      commits.incrementAndGet();
    }
  }
}
