package io.hapax.redis;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.ListenableStoreContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.api.Tag;

/** The contract on a master that Sentinels name. */
@Tag("nightly")
class SentinelDedupStoreTest extends DedupStoreContract implements ListenableStoreContract {

  @Override
  protected StoreFixture open() {
    return RedisFixture.onSharedSentinel();
  }

  @Override
  public int histories() {
    return 60;
  }
}
