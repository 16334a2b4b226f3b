package io.hapax.redis;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.ListenableStoreContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.api.Tag;

/** The contract with marks in buckets, spread over a cluster of three masters. */
@Tag("nightly")
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
