package io.hapax.redis;

import io.hapax.testkit.ListenableWayContract;
import io.hapax.testkit.LossyWayContract;
import io.hapax.testkit.RemoteStoreFixture;
import org.junit.jupiter.api.Tag;

/** A cluster of three masters with a proxy before each of them, and marks in buckets. */
@Tag("matrix")
class CompactClusterLossyWayTest extends LossyWayContract implements ListenableWayContract {

  @Override
  protected RemoteStoreFixture open() {
    return RedisFixture.compactOnFewShardsOfSharedCluster();
  }
}
