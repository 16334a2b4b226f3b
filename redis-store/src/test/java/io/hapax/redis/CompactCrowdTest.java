package io.hapax.redis;

import io.hapax.testkit.CrowdContract;
import io.hapax.testkit.StoreFixture;

class CompactCrowdTest extends CrowdContract {

  @Override
  protected StoreFixture open() {
    return RedisFixture.compactOnSharedServer();
  }
}
