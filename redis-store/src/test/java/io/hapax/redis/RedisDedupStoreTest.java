package io.hapax.redis;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.ListenableStoreContract;
import io.hapax.testkit.StoreFixture;

class RedisDedupStoreTest extends DedupStoreContract implements ListenableStoreContract {

  @Override
  protected StoreFixture open() {
    return RedisFixture.onSharedServer();
  }
}
