package io.hapax.redis;

import io.hapax.testkit.ConcurrencyContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.api.Tag;

@Tag("nightly")
class ClusterConcurrencyTest extends ConcurrencyContract {

  @Override
  protected StoreFixture open() {
    return RedisFixture.at(Place.CLUSTER);
  }
}
