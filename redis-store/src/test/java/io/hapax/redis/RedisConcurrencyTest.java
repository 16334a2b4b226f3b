package io.hapax.redis;

import io.hapax.testkit.ConcurrencyContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(names = {"SERVER", "COMPACT_SERVER"})
class RedisConcurrencyTest extends ConcurrencyContract {

  @Parameter
  Place place;

  @Override
  protected StoreFixture open() {
    return RedisFixture.at(place);
  }
}
