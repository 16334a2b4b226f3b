package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisSentinel;
import io.hapax.store.StoreException;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Failovers that real Sentinels decide on. The tests share the servers: each leaves a master and a
 * replica that is in step.
 */
@Timeout(120)
class SentinelTest {

  private static LocalRedisSentinel redis;

  @BeforeAll
  static void start() {
    redis = LocalRedisSentinel.start(2);
  }

  @AfterAll
  static void close() {
    redis.close();
  }

  private static RedisDedupStore.Builder builder() {
    RedisURI.Builder uri = RedisURI.builder().withSentinelMasterId(LocalRedisSentinel.NAME);
    redis.sentinels().forEach(sentinel -> uri.withSentinel("127.0.0.1", sentinel.port()));
    return RedisDedupStore.builder(uri.build()).commandTimeout(Duration.ofSeconds(2));
  }

  /** Sends the same again, as every caller does, until it is answered. */
  private static <A> A untilAnswered(Callable<A> verb) {
    return await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(StoreException.class)
        .until(verb, answer -> true);
  }

  @Test
  void claims_and_settlements_go_on_with_the_replica_that_is_promoted_and_nothing_acknowledged_is_lost() {
    try (RedisDedupStore store =
        builder().namespace("killed").replicas(1, Duration.ofSeconds(5)).build()) {
      assertThat(store.settle(Marks.done(store.claim(Marks.requests("done-", 300), Marks.LEASE))))
          .containsOnly(new SettleAnswer.Settled(false));
      List<Settlement> held = Marks.done(store.claim(Marks.requests("held-", 300), Marks.LEASE));

      redis.failOver();

      assertThat(untilAnswered(() -> store.settle(held)))
          .hasSize(300)
          .hasOnlyElementsOfType(SettleAnswer.Settled.class);
      assertThat(store.claim(Marks.requests("done-", 300), Marks.LEASE))
          .hasOnlyElementsOfType(ClaimAnswer.Done.class);
      assertThat(store.claim(Marks.requests("held-", 300), Marks.LEASE))
          .hasOnlyElementsOfType(ClaimAnswer.Done.class);
      assertThat(store.claim(Marks.requests("new-", 300), Marks.LEASE))
          .hasOnlyElementsOfType(Acquired.class);
    }
  }
}
