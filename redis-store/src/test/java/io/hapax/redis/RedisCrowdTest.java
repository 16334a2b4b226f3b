package io.hapax.redis;

import io.hapax.testkit.CrowdContract;
import io.hapax.testkit.StoreFixture;

class RedisCrowdTest extends CrowdContract {

  @Override
  protected StoreFixture open() {
    return RedisFixture.onSharedServer();
  }
}
