package io.hapax.redis;

import io.hapax.testkit.ListenableConnectionContract;
import io.hapax.testkit.LossyConnectionContract;
import io.hapax.testkit.RemoteStoreFixture;
import org.junit.jupiter.api.Tag;

@Tag("nightly")
class CompactLossyConnectionTest extends LossyConnectionContract
    implements ListenableConnectionContract {

  @Override
  protected RemoteStoreFixture open() {
    return RedisFixture.compactOnSharedServer();
  }
}
