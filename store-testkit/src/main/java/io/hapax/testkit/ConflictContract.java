package io.hapax.testkit;

import static io.hapax.testkit.Bench.DEAD;
import static io.hapax.testkit.Bench.DONE;
import static io.hapax.testkit.Bench.RETRY_LATER;
import static io.hapax.testkit.Bench.withFingerprint;
import static io.hapax.testkit.Bench.withPayload;
import static io.hapax.testkit.Bench.withTerms;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Conflict;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Another payload under a known id is told before anything else, in every state. */
interface ConflictContract extends OnBench {

  @Test
  default void another_payload_conflicts_with_a_living_claim() {
    bench().held("m");
    assertConflict("m", MarkState.PROCESSING);
  }

  @Test
  default void another_payload_conflicts_with_a_lost_claim() {
    bench().held("m");
    bench().leaseIsOver();
    assertConflict("m", MarkState.PROCESSING);
  }

  @Test
  default void another_payload_conflicts_with_a_retry_due_or_not() {
    bench().settled("m", RETRY_LATER);
    assertConflict("m", MarkState.RETRY);
    bench().retryIsDue();
    assertConflict("m", MarkState.RETRY);
  }

  @Test
  default void another_payload_conflicts_with_done_and_dead() {
    bench().settled("done", DONE);
    bench().settled("dead", DEAD);
    assertConflict("done", MarkState.DONE);
    assertConflict("dead", MarkState.DEAD);
  }

  private void assertConflict(String id, MarkState state) {
    Mark before = bench().mark(id);
    ClaimRequest other = withPayload(bench().solo(id), "another payload");
    ClaimRequest late = withTerms(other, new ClaimTerms(true, true, Instant.EPOCH));

    assertThat(bench().claim(other)).isEqualTo(new Conflict(state));
    assertThat(bench().claim(late)).as("told even to a late claim").isEqualTo(new Conflict(state));
    assertThat(bench().mark(id)).isEqualTo(before);
  }

  @Test
  default void the_same_nonce_with_another_payload_conflicts_too() {
    ClaimRequest request = bench().request("m");
    bench().acquire(request);

    ClaimAnswer answer = bench().claim(withPayload(request, "another payload"));

    assertThat(answer).isEqualTo(new Conflict(MarkState.PROCESSING));
  }

  @Test
  default void without_a_fingerprint_nothing_conflicts() {
    bench().settled("kept", DONE);
    bench()
        .settle(
            bench()
                .acquire(withFingerprint(bench().request("none"), Fingerprint.NONE))
                .claim(),
            DONE);

    ClaimAnswer asksWithout =
        bench().claim(withFingerprint(bench().request("kept"), Fingerprint.NONE));
    ClaimAnswer keptWithout = bench().claim(bench().request("none"));

    assertThat(asksWithout).isInstanceOf(ClaimAnswer.Done.class);
    assertThat(keptWithout).isInstanceOf(ClaimAnswer.Done.class);
  }

  @Test
  default void a_fingerprint_uses_all_its_bits() {
    bench().acquire(withFingerprint(bench().request("m"), new Fingerprint(Long.MIN_VALUE)));

    ClaimRequest neighbour =
        withFingerprint(bench().request("m"), new Fingerprint(Long.MIN_VALUE + 1));

    assertThat(bench().claim(neighbour)).isEqualTo(new Conflict(MarkState.PROCESSING));
  }
}
