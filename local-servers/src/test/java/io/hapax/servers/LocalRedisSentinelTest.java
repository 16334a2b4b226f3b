package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("nightly")
@Timeout(120)
class LocalRedisSentinelTest {

  @Test
  void the_sentinels_promote_a_replica_of_a_killed_master() {
    try (LocalRedisSentinel redis = LocalRedisSentinel.start(1)) {
      LocalRedis first = redis.master();
      LocalRedis second = redis.servers().get(1);
      first.command("SET", "kept", "v");
      assertThat(first.command("WAIT", "1", "10000")).isEqualTo("1");

      assertThat(redis.failOver()).isSameAs(second);

      assertThat(second.command("GET", "kept")).isEqualTo("v");
      assertThat(second.command("SET", "new", "v")).isEqualTo("OK");
    }
  }
}
