package io.hapax.testkit;

import io.hapax.store.TransactionalDedupStore;

/** A part of the transactional contract; its tests use the bench. */
interface OnTransactionalBench<T> extends OnBench {

  TransactionalBench<T> transactions();

  @Override
  default TransactionalDedupStore<T> store() {
    return transactions().store();
  }
}
