package io.hapax.testkit;

class InMemoryConcurrencyTest extends ConcurrencyContract {

  @Override
  protected StoreFixture open() {
    return new InMemoryFixture();
  }
}
