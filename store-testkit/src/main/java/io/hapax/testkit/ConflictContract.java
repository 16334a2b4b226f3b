package io.hapax.testkit;

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
interface ConflictContract extends Bench {

  @ParameterizedTest
  @EnumSource
  default void another_payload_conflicts_with_a_settled_mark(SettledAs settled) {
    settled("m", settled.verdict());
    assertConflict("m", settled.state());
    makeRetryDue();
    assertConflict("m", settled.state());
  }

  private void assertConflict(String id, MarkState state) {
    Mark before = mark(id);
    ClaimRequest other = withPayload(solo(id), "another payload");
    ClaimRequest late = withTerms(other, new ClaimTerms(true, true, Instant.EPOCH));

    assertThat(claim(other)).isEqualTo(new Conflict(state));
    assertThat(claim(late)).as("also for a late claim").isEqualTo(new Conflict(state));
    assertThat(mark(id)).isEqualTo(before);
  }

  @Test
  default void without_a_fingerprint_nothing_conflicts() {
    settled("kept", DONE);
    settle(acquire(withFingerprint(request("none"), Fingerprint.NONE)).claim(), DONE);

    ClaimAnswer asksWithout = claim(withFingerprint(request("kept"), Fingerprint.NONE));
    ClaimAnswer keptWithout = claim(request("none"));

    assertThat(asksWithout).isInstanceOf(ClaimAnswer.Done.class);
    assertThat(keptWithout).isInstanceOf(ClaimAnswer.Done.class);
  }

  @Test
  default void a_fingerprint_uses_all_its_bits() {
    acquire(withFingerprint(request("m"), new Fingerprint(Long.MIN_VALUE)));

    ClaimRequest neighbour = withFingerprint(request("m"), new Fingerprint(Long.MIN_VALUE + 1));

    assertThat(claim(neighbour)).isEqualTo(new Conflict(MarkState.PROCESSING));
  }
}
