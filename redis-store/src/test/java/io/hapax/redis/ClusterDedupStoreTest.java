package io.hapax.redis;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.ListenableStoreContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract on a master that Sentinels name, and on a cluster of three masters. */
@Tag("nightly")
@ParameterizedClass
@EnumSource(names = {"SENTINEL", "CLUSTER", "COMPACT_CLUSTER"})
class ClusterDedupStoreTest extends DedupStoreContract implements ListenableStoreContract {

  @Parameter
  Place place;

  @Override
  protected StoreFixture open() {
    return RedisFixture.at(place);
  }

  @Override
  public int histories() {
    return 60;
  }
}
