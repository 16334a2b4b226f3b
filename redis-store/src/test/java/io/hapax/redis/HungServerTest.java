package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.servers.LocalRedis;
import io.hapax.store.StoreException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Measures what a hanging server that still accepts connections costs its clients. */
@Isolated("counts the reconnecting threads of this JVM")
@Timeout(120)
class HungServerTest {

  private static final int MOST_CONNECTIONS = 4; // the store's, one being made, two of the test's

  private static final int MOST_CALLS = 100; // of 100 commands each

  /** Short, but long enough to open a store on a busy machine. */
  private static final Duration OPENS = Duration.ofMillis(500);

  private static LocalRedis redis;

  @BeforeAll
  static void start() {
    redis = LocalRedis.start();
  }

  @AfterAll
  static void close() {
    redis.close();
  }

  @AfterEach
  void resume() {
    redis.resume();
  }

  /** Longer than the pause between two attempts, so that attempts would overlap. */
  private static RedisURI withHandshakeOfFourSeconds() {
    return RedisURI.builder(Servers.uri(redis))
        .withTimeout(Duration.ofSeconds(4))
        .build();
  }

  private static String failure(RedisDedupStore store) {
    try {
      store.claim(List.of(Marks.request("m")), Marks.LEASE);
      return "none";
    } catch (StoreException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static long reconnecting() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("hapax-redis-reconnect"))
        .count();
  }

  @Test
  void after_repeated_timeouts_one_thread_reconnects() {
    // threads of stores that earlier tests have closed may still run
    await().atMost(Duration.ofSeconds(60)).until(() -> reconnecting() == 0);
    try (RedisDedupStore store = RedisDedupStore.builder(withHandshakeOfFourSeconds())
        .namespace("closed")
        .commandTimeout(OPENS)
        .build()) {
      Marks.claim(store, "before");
      redis.pause();
      List<Long> threads = new ArrayList<>();

      await().atMost(Duration.ofSeconds(30)).until(() -> {
        String failure = failure(store);
        threads.add(reconnecting());
        return failure.contains("Connection is closed");
      });
      redis.resume();

      assertThat(Collections.max(threads)).isOne();
      assertThat(
              Marks.untilAnswered(() -> store.claim(List.of(Marks.request("after")), Marks.LEASE)))
          .hasOnlyElementsOfType(Acquired.class);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> connections(redis.command("INFO", "clients")) <= MOST_CONNECTIONS);
    }
  }

  private static int connections(String info) {
    return Integer.parseInt(
        new Reply.Answer(List.of(info)).info("connected_clients").orElseThrow());
  }

  @Test
  void a_full_queue_refuses_commands_at_once_until_the_server_answers_again() {
    Backend backend = Clients.standalone(withHandshakeOfFourSeconds());
    try (Pipeline pipeline = backend.connect(Duration.ofMillis(20))) {
      redis.pause();
      int calls = 0;
      Reply reply = pipeline.send(pings()).get(0);
      for (; calls < MOST_CALLS && !isRefused(reply); calls++) {
        reply = pipeline.send(pings()).get(0);
      }

      assertThat(calls).isLessThan(MOST_CALLS);
      redis.resume();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> pipeline.send(List.of(RedisRequest.of(CommandType.PING))).get(0)
              instanceof Reply.Answer);
    } finally {
      backend.shutdown();
    }
  }

  private static List<RedisRequest> pings() {
    return IntStream.range(0, 100)
        .mapToObj(i -> RedisRequest.of(CommandType.PING))
        .toList();
  }

  private static boolean isRefused(Reply reply) {
    return reply instanceof Reply.Failure failure
        && String.valueOf(failure.cause().getMessage()).contains("size exceeded");
  }

  @Test
  void a_claim_refused_by_a_full_queue_writes_nothing() {
    ClaimRequest request = Marks.request("refused");
    RedisClient client = RedisClient.create(withHandshakeOfFourSeconds());
    client.setOptions(ClientOptions.builder().requestQueueSize(8).build());
    try (RedisDedupStore store =
        RedisDedupStore.builder(client).namespace("full").commandTimeout(OPENS).build()) {
      redis.pause();
      await().atMost(Duration.ofSeconds(30)).until(() -> failure(store).contains("size exceeded"));
      redis.resume();

      assertThat(Marks.untilAnswered(() -> store.claim(List.of(request), Marks.LEASE)))
          .hasOnlyElementsOfType(Acquired.class);
    } finally {
      client.shutdown();
    }
  }

  @Test
  void a_given_client_whose_queue_has_no_limit_is_warned_of() {
    try (RedisClient client = RedisClient.create(Servers.uri(redis))) {
      assertThat(Clients.warning(client)).get().asString().contains("requestQueueSize", "4096");
      client.setOptions(ClientOptions.builder().requestQueueSize(100).build());
      assertThat(Clients.warning(client)).isEmpty();
    }
  }
}
