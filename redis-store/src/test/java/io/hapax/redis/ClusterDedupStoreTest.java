package io.hapax.redis;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.ListenableStoreContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.api.Tag;

/** The contract on a cluster of three masters, the marks spread over 64 shards. */
@Tag("nightly")
class ClusterDedupStoreTest extends DedupStoreContract implements ListenableStoreContract {

  @Override
  protected StoreFixture open() {
    return RedisFixture.onSharedCluster();
  }

  @Override
  public int histories() {
    return 60;
  }
}
