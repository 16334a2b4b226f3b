package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import io.hapax.testkit.RestartContract;
import io.hapax.testkit.RestartableStoreFixture;

/** Redis that writes each command to the disk before it answers, the marks in buckets. */
class CompactRestartTest extends RestartContract {

  @Override
  protected RestartableStoreFixture open() {
    return RedisFixture.compactOnServerOfItsOwn(
        LocalRedis.builder().setting("appendfsync", "always").start());
  }
}
