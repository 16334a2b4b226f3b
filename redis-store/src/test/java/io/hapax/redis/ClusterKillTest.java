package io.hapax.redis;

import io.hapax.servers.LocalRedisCluster;
import io.hapax.testkit.RestartContract;
import io.hapax.testkit.RestartableStoreFixture;

/**
 * A cluster of three masters, each of which writes every command to the disk before it answers and
 * is killed in its turn.
 */
class ClusterKillTest extends RestartContract {

  @Override
  protected RestartableStoreFixture open() {
    return RedisFixture.onClusterOfItsOwn(
        LocalRedisCluster.start(3, node -> node.setting("appendfsync", "always")));
  }
}
