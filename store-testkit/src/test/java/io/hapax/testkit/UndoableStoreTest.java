package io.hapax.testkit;

class UndoableStoreTest extends TransactionalDedupStoreContract<HeapTransaction> {

  @Override
  protected TransactionalStoreFixture<HeapTransaction> open() {
    return new UndoableFixture();
  }
}
