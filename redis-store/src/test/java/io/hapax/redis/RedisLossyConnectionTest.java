package io.hapax.redis;

import io.hapax.testkit.ListenableConnectionContract;
import io.hapax.testkit.LossyConnectionContract;
import io.hapax.testkit.RemoteStoreFixture;

class RedisLossyConnectionTest extends LossyConnectionContract
    implements ListenableConnectionContract {

  @Override
  protected RemoteStoreFixture open() {
    return RedisFixture.at(Place.SERVER);
  }
}
