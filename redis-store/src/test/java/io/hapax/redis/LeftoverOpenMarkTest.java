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
 * An open mark that stands again beside the DONE mark of its message. No script leaves that behind;
 * it takes data that came back, or went, in part.
 */
@Timeout(60)
class LeftoverOpenMarkTest {

  private static final String PROCESSING = "hapax{0}processing:orders";
  private static final String RESTING = "hapax{0}resting:orders";
  private static final String IN_DOUBT = "hapax{0}doubt:orders";

  private static RedisDedupStore open(LocalRedis redis, boolean compact) {
    RedisDedupStore.Builder builder = RedisDedupStore.builder(Servers.uri(redis));
    return (compact ? builder.compact(10_000) : builder).build();
  }

  /** Runs it, and puts the open marks of before back. */
  private static void keeping(LocalRedis redis, String marks, Runnable verbs) {
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
  void a_done_mark_counts_before_one_that_is_processing_and_a_claim_clears_that(
      boolean compact, Duration later) {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = open(redis, compact)) {
      Claim claim = Marks.claim(store, "m");
      keeping(redis, PROCESSING, () -> Marks.settleDone(store, claim));
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
  void a_done_mark_counts_before_one_that_waits_for_a_retry(boolean compact) {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = open(redis, compact)) {
      store.settle(
          List.of(new Settlement(Marks.claim(store, "m"), new Verdict.Retry(Duration.ZERO, true))));
      keeping(redis, RESTING, () -> Marks.settleDone(store, Marks.claim(store, "m")));

      assertThat(claimed(store, "m")).isInstanceOf(ClaimAnswer.Done.class);
      assertThat(redis.command("HLEN", RESTING)).isEqualTo("0");
      assertThat(listedIn(store)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void what_was_left_with_its_place_in_an_index_is_cleared_from_there_too(boolean compact) {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = open(redis, compact)) {
      store.settle(
          List.of(new Settlement(Marks.claim(store, "m"), new Verdict.Retry(Duration.ZERO, true))));
      Runnable done = () -> Marks.settleDone(store, Marks.claim(store, "m"));
      keeping(redis, RESTING, () -> keeping(redis, IN_DOUBT, done));
      assertThat(redis.command("ZCARD", IN_DOUBT)).isEqualTo("1");

      assertThat(claimed(store, "m")).isInstanceOf(ClaimAnswer.Done.class);

      assertThat(redis.command("ZCARD", IN_DOUBT)).isEqualTo("0");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void the_owner_of_what_was_left_settles_it_as_it_likes_and_its_message_stays_done(
      boolean compact) {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = open(redis, compact)) {
      Claim claim = Marks.claim(store, "m");
      keeping(redis, PROCESSING, () -> Marks.settleDone(store, claim));

      assertThat(
              store.settle(List.of(new Settlement(claim, new Verdict.Retry(Duration.ZERO, false)))))
          .containsExactly(new SettleAnswer.Settled(false));
      assertThat(claimed(store, "m")).isInstanceOf(ClaimAnswer.Done.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void an_operator_who_resolves_what_was_left_clears_it(boolean compact) {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = open(redis, compact)) {
      Claim claim = Marks.claim(store, "m");
      keeping(redis, PROCESSING, () -> Marks.settleDone(store, claim));

      assertThat(store.resolve(
              claim.key(), claim.token(), MarkState.PROCESSING, Resolution.FORCE_DONE))
          .isFalse();

      assertThat(listedIn(store)).isEmpty();
      assertThat(claimed(store, "m")).isInstanceOf(ClaimAnswer.Done.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void an_operator_who_keeps_done_for_any_payload_clears_what_was_left_too(boolean compact) {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = open(redis, compact)) {
      Claim claim = Marks.claim(store, "m");
      keeping(redis, PROCESSING, () -> Marks.settleDone(store, claim));

      assertThat(store.resolve(
              claim.key(), claim.token(), MarkState.DONE, Resolution.DONE_ANY_PAYLOAD))
          .isTrue();

      assertThat(listedIn(store)).isEmpty();
      assertThat(claimed(store, "m")).isInstanceOf(ClaimAnswer.Done.class);
    }
  }
}
