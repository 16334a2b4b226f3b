package io.hapax.mark;

import static io.hapax.mark.SampleMarks.ABSENT;
import static io.hapax.mark.SampleMarks.DEAD;
import static io.hapax.mark.SampleMarks.DONE;
import static io.hapax.mark.SampleMarks.DUE;
import static io.hapax.mark.SampleMarks.EXPIRED;
import static io.hapax.mark.SampleMarks.LEASED;
import static io.hapax.mark.SampleMarks.MINE;
import static io.hapax.mark.SampleMarks.NOT_DUE;
import static io.hapax.mark.SampleMarks.NOW;
import static io.hapax.mark.SampleMarks.ORIGIN;
import static io.hapax.mark.SampleMarks.OTHER;
import static io.hapax.mark.SampleMarks.OTHER_PAYLOAD;
import static io.hapax.mark.SampleMarks.PAYLOAD;
import static io.hapax.mark.SampleMarks.SETTLED;
import static io.hapax.mark.SampleMarks.complete;
import static io.hapax.mark.SampleMarks.shared;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The look-up before a transaction: each state, payload and time. */
@DisplayName("the mark machine: look-ups")
class MarkMachineFindDoneTest {

  private static final Duration RETENTION = Duration.ofDays(8);

  private static Optional<ClaimAnswer.Done> findDone(Mark mark, ClaimRequest request) {
    return MarkMachine.findDone(mark, request, RETENTION, NOW);
  }

  private static ClaimRequest request(Fingerprint fingerprint, Instant notAfter) {
    ClaimTerms terms = new ClaimTerms(false, false, notAfter);
    return new ClaimRequest(SampleMarks.KEY, OTHER, fingerprint, ORIGIN, terms);
  }

  @Test
  void a_done_mark_is_answered_as_in_a_transaction() {
    for (Nonce nonce : List.of(MINE, OTHER)) {
      assertThat(findDone(DONE, shared(nonce)).orElseThrow())
          .isEqualTo(complete(DONE, shared(nonce)).answer());
    }
  }

  @Test
  void a_mark_in_another_state_is_not_answered() {
    assertThat(List.of(ABSENT, LEASED, EXPIRED, NOT_DUE, DUE, DEAD))
        .allSatisfy(mark -> assertThat(findDone(mark, shared(OTHER))).isEmpty());
  }

  @Test
  void another_payload_is_not_answered() {
    assertThat(findDone(DONE, request(OTHER_PAYLOAD, ClaimTerms.ANY_TIME))).isEmpty();
    assertThat(findDone(DONE, request(Fingerprint.NONE, ClaimTerms.ANY_TIME))).isPresent();
  }

  @Test
  void a_late_request_is_not_answered() {
    assertThat(findDone(DONE, request(PAYLOAD, NOW))).isPresent();
    assertThat(findDone(DONE, request(PAYLOAD, NOW.minusNanos(1000)))).isEmpty();
  }

  @Test
  void a_mark_is_answered_until_its_retention_ends() {
    Instant end = SETTLED.plus(RETENTION);

    assertThat(MarkMachine.findDone(DONE, shared(OTHER), RETENTION, end)).isPresent();
    assertThat(MarkMachine.findDone(DONE, shared(OTHER), RETENTION, end.plusNanos(1000)))
        .isEmpty();
  }
}
