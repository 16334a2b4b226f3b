package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.MarkState;
import io.hapax.mark.Resolution;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.servers.LocalRedis;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Looks at the memory of Redis itself after a message was forgotten. */
@Timeout(60)
class ForgetTest {

  private static final String ID = "jane.doe@example.org";
  private static final String OWNER = "host-1/orders";
  private static final String RESULT = "charged the card of Jane Doe";

  private static final String CONTENT = """
      local all = {}
      for _, key in ipairs(redis.call('KEYS', '*')) do
        all[#all + 1] = key .. redis.call('DUMP', key)
      end
      return table.concat(all)""";

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void neither_result_nor_id_nor_owner_are_left_in_redis(boolean compact) {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = open(redis, compact)) {
      Claim claim = Marks.claim(store, ID);
      assertThat(content(redis)).contains(ID, OWNER);
      store.settle(List.of(new Settlement(claim, new Verdict.Done(Bytes.utf8(RESULT)))));
      assertThat(content(redis)).contains(RESULT);

      assertThat(store.resolve(claim.key(), claim.token(), MarkState.DONE, Resolution.FORGET))
          .isTrue();

      assertThat(content(redis)).doesNotContain(ID, OWNER, RESULT);
      assertThat(store.find(List.of(claim.key())).get(0).orElseThrow().state())
          .isEqualTo(MarkState.DONE);
    }
  }

  private static RedisDedupStore open(LocalRedis redis, boolean compact) {
    RedisDedupStoreBuilder builder = RedisDedupStore.builder(Servers.uri(redis));
    return (compact ? builder.compact(10_000) : builder).build();
  }

  /** Returns keys and serialized values, without compression. */
  private static String content(LocalRedis redis) {
    redis.command("CONFIG", "SET", "rdbcompression", "no");
    return redis.command("EVAL", CONTENT, "0");
  }
}
