package io.hapax.redis;

import io.hapax.testkit.CrowdContract;
import io.hapax.testkit.StoreFixture;

class ClusterCrowdTest extends CrowdContract {

  @Override
  protected StoreFixture open() {
    return RedisFixture.onSharedCluster();
  }
}
