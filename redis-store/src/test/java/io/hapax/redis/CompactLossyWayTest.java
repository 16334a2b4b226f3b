package io.hapax.redis;

import io.hapax.testkit.LossyWayContract;
import io.hapax.testkit.RemoteStoreFixture;

class CompactLossyWayTest extends LossyWayContract {

  @Override
  protected RemoteStoreFixture open() {
    return RedisFixture.compactOnSharedServer();
  }
}
