package io.hapax.redis;

import io.hapax.testkit.ExecutorContract;
import io.hapax.testkit.StoreFixture;

class RedisExecutorTest extends ExecutorContract {

  @Override
  protected StoreFixture open() {
    return RedisFixture.onSharedServer();
  }
}
