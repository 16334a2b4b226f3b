package io.hapax.redis;

import io.hapax.servers.LocalRedisCluster;
import io.hapax.testkit.RestartContract;
import io.hapax.testkit.RestartableStoreFixture;
import org.junit.jupiter.api.Tag;

/** Kills three masters of a cluster in turn; each syncs its file before it answers. */
@Tag("nightly")
class ClusterKillTest extends RestartContract {

  @Override
  protected RestartableStoreFixture open() {
    return RedisFixture.onOwnCluster(
        LocalRedisCluster.start(3, node -> node.setting("appendfsync", "always")));
  }
}
