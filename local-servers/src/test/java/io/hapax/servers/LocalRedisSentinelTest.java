package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LocalRedisSentinelTest {

  @Test
  void the_sentinels_promote_a_replica_of_a_killed_master_which_comes_back_as_a_replica() {
    try (LocalRedisSentinel redis = LocalRedisSentinel.start(1)) {
      LocalRedis first = redis.master();
      LocalRedis second = redis.servers().get(1);
      first.command("SET", "kept", "v");
      assertThat(first.command("WAIT", "1", "10000")).isEqualTo("1");

      assertThat(redis.failOver()).isSameAs(second);

      assertThat(second.command("GET", "kept")).isEqualTo("v");
      assertThat(second.command("SET", "new", "v")).isEqualTo("OK");
      first.restart();
      Waiting.until(
          () -> List.of(first.command("INFO", "replication").split("\r\n", -1))
              .contains("master_link_status:up"),
          () -> "the old master is no replica");
      assertThat(first.command("GET", "new")).isEqualTo("v");
    }
  }
}
