package io.hapax.redis;

import io.hapax.testkit.ListenableConnectionContract;
import io.hapax.testkit.LossyConnectionContract;
import io.hapax.testkit.RemoteStoreFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Buckets, Sentinels, and a cluster of three masters with a proxy before each of them. */
@Tag("nightly")
@ParameterizedClass
@EnumSource(names = {"COMPACT_SERVER", "SENTINEL", "FEW_SHARDS", "COMPACT_FEW_SHARDS"})
class ClusterLossyConnectionTest extends LossyConnectionContract
    implements ListenableConnectionContract {

  @Parameter
  Place place;

  @Override
  protected RemoteStoreFixture open() {
    return RedisFixture.at(place);
  }
}
