package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import io.hapax.testkit.RestartContract;
import io.hapax.testkit.RestartableStoreFixture;

/** Redis that syncs each command before it answers, with marks in buckets. */
class CompactRestartTest extends RestartContract {

  @Override
  protected RestartableStoreFixture open() {
    return RedisFixture.compactOnOwnServer(
        LocalRedis.builder().setting("appendfsync", "always").start());
  }
}
