package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.servers.LocalRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that a long list is split into short scripts, which are all sent at once. */
@Timeout(60)
class OneFlushTest {

  @ParameterizedTest
  @CsvSource({"128, 1", "129, 2", "500, 4"})
  void a_list_is_sent_in_scripts_of_128_marks_in_one_flush(int marks, int scripts) {
    List<Integer> flushes = new ArrayList<>();
    try (LocalRedis redis = LocalRedis.start();
        RedisClient client = new CountingClient(Servers.uri(redis), flushes);
        RedisDedupStore store = RedisDedupStore.builder(client).build()) {
      store.claim(Marks.requests("so that the server knows the script/", 1), Marks.LEASE);
      redis.command("CONFIG", "RESETSTAT");
      flushes.clear();

      assertThat(store.claim(Marks.requests("m", marks), Marks.LEASE))
          .hasSize(marks)
          .hasOnlyElementsOfType(Acquired.class);

      assertThat(flushes).containsExactly(scripts);
      assertThat(redis.command("INFO", "commandstats"))
          .contains("cmdstat_evalsha:calls=" + scripts + ",");
    }
  }

  /** Counts how many commands it gets at once; Lettuce flushes these together. */
  private static final class CountingClient extends RedisClient {

    private final List<Integer> flushes;

    CountingClient(RedisURI uri, List<Integer> flushes) {
      super(null, uri); // with resources that end with it
      this.flushes = flushes;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <K, V> StatefulRedisConnection<K, V> connect(RedisCodec<K, V> codec) {
      StatefulRedisConnection<K, V> real = super.connect(codec);
      return (StatefulRedisConnection<K, V>) Proxy.newProxyInstance(
          OneFlushTest.class.getClassLoader(),
          new Class<?>[] {StatefulRedisConnection.class},
          (self, method, arguments) -> {
            if (method.getName().equals("dispatch")) {
              flushes.add(arguments[0] instanceof Collection<?> many ? many.size() : 1);
            }
            return method.invoke(real, arguments);
          });
    }
  }
}
