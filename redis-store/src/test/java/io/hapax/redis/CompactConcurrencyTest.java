package io.hapax.redis;

import io.hapax.testkit.ConcurrencyContract;
import io.hapax.testkit.StoreFixture;

class CompactConcurrencyTest extends ConcurrencyContract {

  @Override
  protected StoreFixture open() {
    return RedisFixture.compactOnSharedServer();
  }
}
