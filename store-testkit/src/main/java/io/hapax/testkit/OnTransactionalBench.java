package io.hapax.testkit;

/** A part of the transactional contract; its tests use the bench. */
interface OnTransactionalBench<T> {

  TransactionalBench<T> transactions();

  default Bench bench() {
    return transactions().bench();
  }
}
