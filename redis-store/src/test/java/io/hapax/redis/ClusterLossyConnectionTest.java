package io.hapax.redis;

import io.hapax.testkit.ListenableConnectionContract;
import io.hapax.testkit.LossyConnectionContract;
import io.hapax.testkit.RemoteStoreFixture;

/** A cluster of three masters with a proxy before each of them. */
class ClusterLossyConnectionTest extends LossyConnectionContract
    implements ListenableConnectionContract {

  @Override
  protected RemoteStoreFixture open() {
    return RedisFixture.onFewShardsOfSharedCluster();
  }
}
