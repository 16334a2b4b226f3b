package io.hapax.redis;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.ListenableStoreContract;
import io.hapax.testkit.StoreFixture;

/** The contract with the marks in buckets that are spread over a cluster of three masters. */
class CompactClusterDedupStoreTest extends DedupStoreContract implements ListenableStoreContract {

  @Override
  protected StoreFixture open() {
    return RedisFixture.compactOnSharedCluster();
  }

  @Override
  public int histories() {
    return 60;
  }
}
