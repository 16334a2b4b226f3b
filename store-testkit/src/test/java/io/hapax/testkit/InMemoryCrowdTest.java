package io.hapax.testkit;

class InMemoryCrowdTest extends ConcurrencyContract {

  @Override
  protected StoreFixture open() {
    return new InMemoryFixture();
  }
}
