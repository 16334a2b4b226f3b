package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import io.hapax.testkit.RestartContract;
import io.hapax.testkit.RestartableStoreFixture;

/** Redis that syncs each command before it answers. */
class RedisRestartTest extends RestartContract {

  @Override
  protected RestartableStoreFixture open() {
    return RedisFixture.onOwnServer(
        LocalRedis.builder().setting("appendfsync", "always").start());
  }
}
