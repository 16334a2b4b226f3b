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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks an open mark beside the DONE mark of its message. No script creates this state; it takes
 * data that was restored or lost in part.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(60)
@ParameterizedClass
@ValueSource(booleans = {false, true})
class LeftoverOpenMarkTest {

  private static final String PROCESSING = "hapax{0}processing:orders";
  private static final String RESTING = "hapax{0}resting:orders";
  private static final String IN_DOUBT = "hapax{0}doubt:orders";

  private final LocalRedis redis = LocalRedis.start();
  private final RedisDedupStore store;

  LeftoverOpenMarkTest(boolean compact) {
    RedisDedupStoreBuilder builder = RedisDedupStore.builder(Servers.uri(redis));
    store = (compact ? builder.compact(10_000) : builder).build();
  }

  @AfterEach
  void close() {
    store.close();
    redis.close();
  }

  /** Runs verbs, and then restores the open marks. */
  private void restoring(String marks, Runnable verbs) {
    redis.command("COPY", marks, "kept:" + marks);
    verbs.run();
    redis.command("COPY", "kept:" + marks, marks, "REPLACE");
  }

  private ClaimAnswer claimed() {
    return store.claim(List.of(Marks.request("m")), Marks.LEASE).get(0);
  }

  private List<MarkQuery.Kind> listed() {
    return List.of(MarkQuery.Kind.values()).stream()
        .filter(kind -> !store.list(MarkQuery.first("orders", kind, 10)).isEmpty())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT2H"})
  void a_done_mark_beats_a_processing_one_which_a_claim_removes(Duration later) {
    Claim claim = Marks.claim(store, "m");
    restoring(PROCESSING, () -> Marks.settleDone(store, claim));
    store.setClock(later);

    assertThat(store.find(List.of(claim.key())).get(0).orElseThrow().state())
        .isEqualTo(MarkState.DONE);
    assertThat(listed()).hasSize(1);
    assertThat(claimed()).isInstanceOf(ClaimAnswer.Done.class);
    assertThat(listed()).isEmpty();
    assertThat(claimed()).isInstanceOf(ClaimAnswer.Done.class);
  }

  @Test
  void a_done_mark_beats_one_that_waits_for_a_retry() {
    store.settle(
        List.of(new Settlement(Marks.claim(store, "m"), new Verdict.Retry(Duration.ZERO, true))));
    restoring(RESTING, () -> Marks.settleDone(store, Marks.claim(store, "m")));

    assertThat(claimed()).isInstanceOf(ClaimAnswer.Done.class);
    assertThat(redis.command("HLEN", RESTING)).isEqualTo("0");
    assertThat(listed()).isEmpty();
  }

  @Test
  void a_leftover_mark_is_removed_from_its_index() {
    store.settle(
        List.of(new Settlement(Marks.claim(store, "m"), new Verdict.Retry(Duration.ZERO, true))));
    Runnable done = () -> Marks.settleDone(store, Marks.claim(store, "m"));
    restoring(RESTING, () -> restoring(IN_DOUBT, done));
    assertThat(redis.command("ZCARD", IN_DOUBT)).isEqualTo("1");

    assertThat(claimed()).isInstanceOf(ClaimAnswer.Done.class);

    assertThat(redis.command("ZCARD", IN_DOUBT)).isEqualTo("0");
  }

  @Test
  void settling_a_leftover_mark_keeps_its_message_done() {
    Claim claim = Marks.claim(store, "m");
    restoring(PROCESSING, () -> Marks.settleDone(store, claim));

    assertThat(
            store.settle(List.of(new Settlement(claim, new Verdict.Retry(Duration.ZERO, false)))))
        .containsExactly(new SettleAnswer.Settled(false));
    assertThat(claimed()).isInstanceOf(ClaimAnswer.Done.class);
  }

  @Test
  void resolving_a_leftover_mark_removes_it() {
    Claim claim = Marks.claim(store, "m");
    restoring(PROCESSING, () -> Marks.settleDone(store, claim));

    assertThat(
            store.resolve(claim.key(), claim.token(), MarkState.PROCESSING, Resolution.FORCE_DONE))
        .isFalse();

    assertThat(listed()).isEmpty();
    assertThat(claimed()).isInstanceOf(ClaimAnswer.Done.class);
  }

  @Test
  void done_for_any_payload_removes_a_leftover_mark() {
    Claim claim = Marks.claim(store, "m");
    restoring(PROCESSING, () -> Marks.settleDone(store, claim));

    assertThat(
            store.resolve(claim.key(), claim.token(), MarkState.DONE, Resolution.DONE_ANY_PAYLOAD))
        .isTrue();

    assertThat(listed()).isEmpty();
    assertThat(claimed()).isInstanceOf(ClaimAnswer.Done.class);
  }
}
