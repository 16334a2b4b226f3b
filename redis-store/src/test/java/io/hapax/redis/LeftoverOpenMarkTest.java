package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MarkState;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.servers.LocalRedis;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks an open mark beside the DONE mark of its message. No script creates this state; it takes
 * data that was restored or lost in part.
 */
@Timeout(60)
class LeftoverOpenMarkTest {

  private static final String PROCESSING = "hapax{0}processing:orders";
  private static final String RESTING = "hapax{0}resting:orders";
  private static final String IN_DOUBT = "hapax{0}doubt:orders";

  private static RedisDedupStore open(LocalRedis redis, boolean compact) {
    RedisDedupStoreBuilder builder = RedisDedupStore.builder(Servers.uri(redis));
    return (compact ? builder.compact(10_000) : builder).build();
  }

  /** Runs verbs, and then restores the open marks. */
  private static void restoring(LocalRedis redis, String marks, Runnable verbs) {
    redis.command("COPY", marks, "kept:" + marks);
    verbs.run();
    redis.command("COPY", "kept:" + marks, marks, "REPLACE");
  }

  private static ClaimAnswer claimed(RedisDedupStore store, String id) {
    return store.claim(List.of(Marks.request(id)), Marks.LEASE).get(0);
  }

  private static List<MarkQuery.Kind> listedIn(RedisDedupStore store) {
    return List.of(MarkQuery.Kind.values()).stream()
        .filter(kind -> !store.list(MarkQuery.first("orders", kind, 10)).isEmpty())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"false, PT0S", "false, PT2H", "true, PT0S", "true, PT2H"})
  void a_done_mark_beats_a_processing_one_which_a_claim_removes(boolean compact, Duration later) {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = open(redis, compact)) {
      Claim claim = Marks.claim(store, "m");
      restoring(redis, PROCESSING, () -> Marks.settleDone(store, claim));
      store.setClock(later);

      assertThat(store.find(List.of(claim.key())).get(0).orElseThrow().state())
          .isEqualTo(MarkState.DONE);
      assertThat(listedIn(store)).hasSize(1);
      assertThat(claimed(store, "m")).isInstanceOf(ClaimAnswer.Done.class);
      assertThat(listedIn(store)).isEmpty();
      assertThat(claimed(store, "m")).isInstanceOf(ClaimAnswer.Done.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_done_mark_beats_one_that_waits_for_a_retry(boolean compact) {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = open(redis, compact)) {
      store.settle(
          List.of(new Settlement(Marks.claim(store, "m"), new Verdict.Retry(Duration.ZERO, true))));
      restoring(redis, RESTING, () -> Marks.settleDone(store, Marks.claim(store, "m")));

      assertThat(claimed(store, "m")).isInstanceOf(ClaimAnswer.Done.class);
      assertThat(redis.command("HLEN", RESTING)).isEqualTo("0");
      assertThat(listedIn(store)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_leftover_mark_is_removed_from_its_index(boolean compact) {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = open(redis, compact)) {
      store.settle(
          List.of(new Settlement(Marks.claim(store, "m"), new Verdict.Retry(Duration.ZERO, true))));
      Runnable done = () -> Marks.settleDone(store, Marks.claim(store, "m"));
      restoring(redis, RESTING, () -> restoring(redis, IN_DOUBT, done));
      assertThat(redis.command("ZCARD", IN_DOUBT)).isEqualTo("1");

      assertThat(claimed(store, "m")).isInstanceOf(ClaimAnswer.Done.class);

      assertThat(redis.command("ZCARD", IN_DOUBT)).isEqualTo("0");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void settling_a_leftover_mark_keeps_its_message_done(boolean compact) {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = open(redis, compact)) {
      Claim claim = Marks.claim(store, "m");
      restoring(redis, PROCESSING, () -> Marks.settleDone(store, claim));

      assertThat(
              store.settle(List.of(new Settlement(claim, new Verdict.Retry(Duration.ZERO, false)))))
          .containsExactly(new SettleAnswer.Settled(false));
      assertThat(claimed(store, "m")).isInstanceOf(ClaimAnswer.Done.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void resolving_a_leftover_mark_removes_it(boolean compact) {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = open(redis, compact)) {
      Claim claim = Marks.claim(store, "m");
      restoring(redis, PROCESSING, () -> Marks.settleDone(store, claim));

      assertThat(store.resolve(
              claim.key(), claim.token(), MarkState.PROCESSING, Resolution.FORCE_DONE))
          .isFalse();

      assertThat(listedIn(store)).isEmpty();
      assertThat(claimed(store, "m")).isInstanceOf(ClaimAnswer.Done.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void done_for_any_payload_removes_a_leftover_mark(boolean compact) {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = open(redis, compact)) {
      Claim claim = Marks.claim(store, "m");
      restoring(redis, PROCESSING, () -> Marks.settleDone(store, claim));

      assertThat(store.resolve(
              claim.key(), claim.token(), MarkState.DONE, Resolution.DONE_ANY_PAYLOAD))
          .isTrue();

      assertThat(listedIn(store)).isEmpty();
      assertThat(claimed(store, "m")).isInstanceOf(ClaimAnswer.Done.class);
    }
  }
}
