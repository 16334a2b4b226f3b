package io.hapax.redis;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.ListenableStoreContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract on one server, with both layouts. */
@ParameterizedClass
@EnumSource(names = {"SERVER", "COMPACT_SERVER"})
class RedisDedupStoreTest extends DedupStoreContract implements ListenableStoreContract {

  @Parameter
  Place place;

  @Override
  protected StoreFixture open() {
    return RedisFixture.at(place);
  }
}
