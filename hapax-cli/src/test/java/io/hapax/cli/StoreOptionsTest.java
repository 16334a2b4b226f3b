package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.cli.StoreOptions.Opened;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisSentinel;
import io.hapax.store.StoreException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A store as a command opens it. */
@Timeout(60)
class StoreOptionsTest {

  private static final MessageKey KEY = MessageKey.of("orders", "order-17");

  @Command
  private static final class Any {
    @Mixin
    private StoreOptions store = new StoreOptions();
  }

  private static Opened open(String... options) {
    Any any = new Any();
    new CommandLine(any).parseArgs(options);
    return any.store.open(1, true);
  }

  @Test
  void a_store_behind_sentinels_is_opened() throws Exception {
    try (LocalRedisSentinel redis = LocalRedisSentinel.start(1)) {
      String sentinels = redis.sentinels().stream()
          .map(it -> "127.0.0.1:" + it.port())
          .collect(Collectors.joining(","));
      try (Opened opened =
          open("--store", "redis-sentinel://" + sentinels + "#" + LocalRedisSentinel.NAME)) {
        assertThat(opened.store().find(List.of(KEY))).containsExactly(Optional.empty());
      }
    }
  }

  @Test
  void what_is_decided_waits_for_as_many_replicas_as_is_said() throws Exception {
    try (LocalRedis redis = LocalRedis.start()) {
      try (Opened opened = open("--store", redis.uri())) {
        assertThat(opened.store().resolve(KEY, 1, MarkState.DEAD, Resolution.REOPEN))
            .isFalse();
      }
      try (Opened opened = open("--store", redis.uri(), "--store-replicas", "1")) {
        assertThatThrownBy(() -> opened.store().resolve(KEY, 1, MarkState.DEAD, Resolution.REOPEN))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("replicas"); // none has it, or that is unknown in time
      }
    }
  }
}
