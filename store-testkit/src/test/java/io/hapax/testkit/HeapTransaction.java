package io.hapax.testkit;

import io.hapax.store.BrokenTransactionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A transaction in the heap: effects that are not committed yet. */
class HeapTransaction {

  private final List<String> written = new ArrayList<>();
  private boolean failed;
  private Optional<BrokenTransactionException> violation = Optional.empty();

  void write(String effect) {
    if (failed) {
      throw new IllegalStateException("the transaction has failed");
    }
    written.add(effect);
  }

  /** Makes the transaction useless after an error, like PostgreSQL. */
  void meetError() {
    failed = true;
    throw new IllegalArgumentException("constraint");
  }

  void rollBack() {
    BrokenTransactionException refusal = new BrokenTransactionException("rolled back by hand");
    violation = Optional.of(refusal);
    throw refusal;
  }

  void forget() {
    written.clear();
  }

  /** Returns the effects to commit; throws if the transaction cannot be committed. */
  List<String> ended() {
    violation.ifPresent(refusal -> {
      throw refusal;
    });
    if (failed) {
      throw new BrokenTransactionException("an error was swallowed");
    }
    return written;
  }
}
