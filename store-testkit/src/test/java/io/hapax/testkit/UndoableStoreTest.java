package io.hapax.testkit;

import java.util.List;

class UndoableStoreTest extends TransactionalDedupStoreContract<List<String>> {

  @Override
  protected TransactionalStoreFixture<List<String>> open() {
    return new UndoableFixture();
  }
}
