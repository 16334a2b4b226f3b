package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.servers.LocalRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandType;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks that wrappers leave nothing behind on a connection that outlives them. */
@Timeout(60)
class RenewableConnectionTest {

  @Test
  void wrappers_of_a_shared_connection_leave_no_listener_on_it() {
    AtomicInteger listeners = new AtomicInteger();
    try (LocalRedis redis = LocalRedis.start();
        RedisClient client = RedisClient.create(Servers.uri(redis));
        var connection = client.connect(ByteArrayCodec.INSTANCE)) {
      StatefulConnection<byte[], byte[]> shared = counting(connection, listeners);

      for (int i = 0; i < 2; i++) {
        new Pipeline(RenewableConnection.fixed(shared), true, Duration.ofSeconds(10))
            .ask(RedisRequest.ofKey(CommandType.GET, new byte[] {1}));
      }
      assertThat(listeners).hasValue(0);

      RenewableConnection.renewable(() -> shared);
      assertThat(listeners).hasValue(1);
    }
  }

  /** Creates a connection that counts its listeners. */
  @SuppressWarnings("unchecked")
  private static StatefulConnection<byte[], byte[]> counting(
      StatefulConnection<byte[], byte[]> connection, AtomicInteger listeners) {
    return (StatefulConnection<byte[], byte[]>) Proxy.newProxyInstance(
        RenewableConnectionTest.class.getClassLoader(),
        new Class<?>[] {StatefulConnection.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("addListener")) {
            listeners.incrementAndGet();
          }
          return method.invoke(connection, arguments);
        });
  }
}
