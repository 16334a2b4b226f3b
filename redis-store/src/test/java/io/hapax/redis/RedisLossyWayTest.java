package io.hapax.redis;

import io.hapax.testkit.ListenableWayContract;
import io.hapax.testkit.LossyWayContract;
import io.hapax.testkit.RemoteStoreFixture;

/** A cluster's client goes to the addresses that its nodes tell; none leads through the proxy. */
class RedisLossyWayTest extends LossyWayContract implements ListenableWayContract {

  @Override
  protected RemoteStoreFixture open() {
    return RedisFixture.onSharedServer();
  }
}
