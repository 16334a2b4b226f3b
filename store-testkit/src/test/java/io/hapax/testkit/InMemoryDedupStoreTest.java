package io.hapax.testkit;

class InMemoryDedupStoreTest extends DedupStoreContract {

  @Override
  protected StoreFixture open() {
    return new InMemoryFixture();
  }
}
