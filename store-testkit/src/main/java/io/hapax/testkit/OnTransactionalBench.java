package io.hapax.testkit;

/** A part of the transactional contract; its tests use the bench. */
interface OnTransactionalBench<T> extends OnBench {

  TransactionalBench<T> transactions();
}
