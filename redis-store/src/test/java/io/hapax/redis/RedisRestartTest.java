package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import io.hapax.testkit.RestartContract;
import io.hapax.testkit.RestartableStoreFixture;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis that syncs each command before it answers, with both layouts. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class RedisRestartTest extends RestartContract {

  @Parameter
  boolean compact;

  @Override
  protected RestartableStoreFixture open() {
    return RedisFixture.onOwnServer(
        LocalRedis.builder().setting("appendfsync", "always").start(), compact);
  }
}
