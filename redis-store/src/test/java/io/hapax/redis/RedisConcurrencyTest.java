package io.hapax.redis;

import io.hapax.testkit.ConcurrencyContract;
import io.hapax.testkit.StoreFixture;

class RedisConcurrencyTest extends ConcurrencyContract {

  @Override
  protected StoreFixture open() {
    return RedisFixture.onSharedServer();
  }
}
