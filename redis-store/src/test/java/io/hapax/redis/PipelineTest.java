package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.servers.LocalRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.CommandType;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks how commands are sent and answered on a connection, which outlives its wrappers. */
@Timeout(60)
class PipelineTest {

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
          PipelineTest.class.getClassLoader(),
          new Class<?>[] {StatefulRedisConnection.class},
          (self, method, arguments) -> {
            if (method.getName().equals("dispatch")) {
              flushes.add(arguments[0] instanceof Collection<?> many ? many.size() : 1);
            }
            return method.invoke(real, arguments);
          });
    }
  }

  /** Some clients reconnect, send the command again, and keep what they have read of its reply. */
  @Test
  void a_reply_behind_a_part_of_another_one_is_no_answer() {
    AsyncCommand<byte[], byte[], List<Object>> command =
        RedisRequest.of(CommandType.EVALSHA).command();
    CommandOutput<?, ?, ?> output = command.getOutput();
    output.multi(3);
    output.set(1L);
    output.multi(3);
    output.set(2L);
    output.complete(1); // as after each element
    output.set(0L);
    output.complete(1);
    output.set(ByteBuffer.allocate(0));
    output.complete(0);
    command.complete();

    List<Reply> replies =
        new PendingReplies(List.of(command), Duration.ofSeconds(1), System.nanoTime()).collect();

    assertThat(replies).singleElement().isInstanceOf(Reply.Failure.class);
  }

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
        PipelineTest.class.getClassLoader(),
        new Class<?>[] {StatefulConnection.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("addListener")) {
            listeners.incrementAndGet();
          }
          return method.invoke(connection, arguments);
        });
  }
}
