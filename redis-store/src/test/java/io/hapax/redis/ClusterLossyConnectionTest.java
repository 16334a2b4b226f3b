package io.hapax.redis;

import io.hapax.testkit.ListenableConnectionContract;
import io.hapax.testkit.LossyConnectionContract;
import io.hapax.testkit.RemoteStoreFixture;
import org.junit.jupiter.api.Tag;

/** A cluster of three masters with a proxy before each of them. */
@Tag("nightly")
class ClusterLossyConnectionTest extends LossyConnectionContract
    implements ListenableConnectionContract {

  @Override
  protected RemoteStoreFixture open() {
    return RedisFixture.onFewShardsOfSharedCluster();
  }
}
