package io.hapax.redis;

import io.hapax.testkit.ListenableWayContract;
import io.hapax.testkit.LossyWayContract;
import io.hapax.testkit.RemoteStoreFixture;
import org.junit.jupiter.api.Tag;

/** Each connection that is made anew goes where the Sentinels say; a proxy stands there. */
@Tag("matrix")
class SentinelLossyWayTest extends LossyWayContract implements ListenableWayContract {

  @Override
  protected RemoteStoreFixture open() {
    return RedisFixture.onSharedSentinel();
  }
}
