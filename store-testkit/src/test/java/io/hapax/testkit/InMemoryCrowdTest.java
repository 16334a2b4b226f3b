package io.hapax.testkit;

class InMemoryCrowdTest extends CrowdContract {

  @Override
  protected StoreFixture open() {
    return new InMemoryFixture();
  }
}
