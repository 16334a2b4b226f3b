package io.hapax.redis;

import io.hapax.testkit.ExecutorContract;
import io.hapax.testkit.StoreFixture;

class CompactExecutorTest extends ExecutorContract {

  @Override
  protected StoreFixture open() {
    return RedisFixture.compactOnSharedServer();
  }
}
