package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import io.hapax.testkit.RestartContract;
import io.hapax.testkit.RestartableStoreFixture;

/** Redis that writes each command to the disk before it answers. */
class RedisRestartTest extends RestartContract {

  @Override
  protected RestartableStoreFixture open() {
    return RedisFixture.onServerOfItsOwn(
        LocalRedis.builder().setting("appendfsync", "always").start());
  }
}
