package io.hapax.testkit;

import static io.hapax.testkit.Bench.DONE;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another payload under a known id: a conflict comes before every other answer, in every state. */
interface ConflictContract extends OnBench {

  @Test
  default void another_payload_conflicts_with_a_living_claim() {
    bench().held("m");
    assertConflict("m", MarkState.PROCESSING);
  }

  @Test
  default void another_payload_conflicts_with_a_lost_claim() {
    bench().held("m");
    bench().expireLease();
    assertConflict("m", MarkState.PROCESSING);
  }

  @ParameterizedTest
  @EnumSource
  default void another_payload_conflicts_with_a_settled_mark(SettledAs settled) {
    bench().settled("m", settled.verdict());
    assertConflict("m", settled.state());
    bench().makeRetryDue();
    assertConflict("m", settled.state());
  }

  private void assertConflict(String id, MarkState state) {
    Mark before = bench().mark(id);
    ClaimRequest other = withPayload(bench().solo(id), "another payload");
    ClaimRequest late = withTerms(other, new ClaimTerms(true, true, Instant.EPOCH));

    assertThat(bench().claim(other)).isEqualTo(new Conflict(state));
    assertThat(bench().claim(late)).as("also for a late claim").isEqualTo(new Conflict(state));
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
