package io.hapax.redis;

import io.hapax.testkit.ListenableWayContract;
import io.hapax.testkit.LossyWayContract;
import io.hapax.testkit.RemoteStoreFixture;
import org.junit.jupiter.api.Tag;

/** A cluster of three masters, a proxy before each of them, the marks in buckets. */
@Tag("matrix")
class CompactClusterLossyWayTest extends LossyWayContract implements ListenableWayContract {

  @Override
  protected RemoteStoreFixture open() {
    return RedisFixture.compactOnFewShardsOfSharedCluster();
  }
}
