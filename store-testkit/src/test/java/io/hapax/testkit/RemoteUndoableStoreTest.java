package io.hapax.testkit;

class RemoteUndoableStoreTest extends LossyTransactionContract<HeapTransaction> {

  @Override
  protected RemoteTransactionalStoreFixture<HeapTransaction> open() {
    return new RemoteUndoableFixture(RemoteUndoableStore::new);
  }
}
