package io.hapax.testkit;

/** A part of the transactional contract; it is given the bench that its tests work at. */
interface OnTransactionalBench<T> {

  TransactionalBench<T> transactions();

  default Bench bench() {
    return transactions().bench();
  }
}
