package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the machine makes of the attempts of a message, and of what they may have done. */
@DisplayName("the mark machine's attempts")
class MarkMachineAttemptsTest extends SampleMarks {

  @Nested
  @DisplayName("invariant 10: which losses cost an attempt")
  class Attempts {

    private final Mark soloLost =
        processing(new Attempt(2, true, true, false), NOW.minusSeconds(1));
    private final Mark sharedLost =
        processing(new Attempt(2, false, true, false), NOW.minusSeconds(1));

    @Test
    void loss_of_a_solo_claim_costs_one_and_of_a_shared_claim_none() {
      assertThat(acquired(claim(soloLost, solo(OTHER))).claim().attempt().number())
          .isEqualTo(3);
      assertThat(acquired(claim(sharedLost, solo(OTHER))).claim().attempt().number())
          .isEqualTo(2);
      for (Mark lost : List.of(soloLost, sharedLost)) {
        assertUnchanged(
            lost,
            claim(lost, shared(OTHER)),
            new ClaimAnswer.Suspect(lost.claim().attempt()));
      }
    }

    @Test
    void release_or_deferral_sent_again_gives_nothing_more_back() {
      Mark second = processing(new Attempt(2, false, true, false), NOW.plus(LEASE));
      for (Verdict verdict : List.of(RELEASE_VERDICT, DEFER_VERDICT)) {
        Mark given = settle(second, MY_CLAIM, verdict).next();
        assertUnchanged(given, settle(given, MY_CLAIM, verdict), SETTLED_ANSWER);
        assertThat(given.claim().attempt().number()).isEqualTo(1);
      }
    }
  }

  @Nested
  @DisplayName("the first deferral")
  class Deferrals {

    private static final long SINCE = MY_CLAIM.token();

    @Test
    void of_a_solo_claim_leaves_a_mark_that_is_not_solo() {
      Mark held = processing(new Attempt(2, true, true, false), NOW.plus(LEASE));
      Attempt next = settle(held, MY_CLAIM, DEFER_VERDICT).next().claim().attempt();
      assertThat(next).isEqualTo(new Attempt(1, false, true, false, SINCE));
    }

    @Test
    void is_read_back_from_its_stored_form() {
      Attempt never = new Attempt(1, false, true, true);
      Attempt since = new Attempt(1, false, true, true, SINCE);

      assertThat(never.deferral()).isEqualTo(Bytes.EMPTY);
      assertThat(never.withDeferral(never.deferral())).isEqualTo(never);
      assertThat(never.withDeferral(since.deferral())).isEqualTo(since);
    }

    @Test
    void has_no_negative_values() {
      assertThatThrownBy(() -> new Verdict.Defer(Duration.ofSeconds(-1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must not be negative");
      assertThatThrownBy(() -> new Attempt(1, false, true, false, -1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("deferredSince");
    }
  }

  @Nested
  @DisplayName("in doubt")
  class InDoubt {

    private final Attempt doubtful = new Attempt(1, false, true, true);

    @Test
    void failed_attempt_that_may_have_taken_effect_leaves_the_mark_in_doubt() {
      assertThat(settle(LEASED, MY_CLAIM, IN_DOUBT_VERDICT)
              .next()
              .claim()
              .attempt()
              .inDoubt())
          .isTrue();
    }

    @Test
    void doubt_stays_through_a_release_and_an_attempt_that_certainly_did_nothing() {
      for (Verdict verdict : List.of(RELEASE_VERDICT, RETRY_VERDICT)) {
        Mark next =
            settle(processing(doubtful, NOW.plus(LEASE)), MY_CLAIM, verdict).next();
        assertThat(next.claim().attempt().inDoubt()).isTrue();
      }
    }

    @Test
    void doubt_passes_to_the_next_owner_which_counts_as_recovering() {
      ClaimAnswer.Acquired next = acquired(claim(retry(doubtful, NOW), shared(OTHER)));
      assertThat(next.claim().attempt().inDoubt()).isTrue();
      assertThat(next.recovered()).isTrue();
    }

    @Test
    void doubt_ends_when_the_message_is_done() {
      Mark done = settle(processing(doubtful, NOW), MY_CLAIM, DONE_VERDICT).next();
      assertThat(done.claim().attempt().inDoubt()).isFalse();
    }

    @Test
    void doubt_is_kept_on_a_dead_mark_for_the_operator() {
      Mark dead = settle(processing(doubtful, NOW), MY_CLAIM, DEAD_VERDICT).next();
      assertThat(dead.claim().attempt().inDoubt()).isTrue();
    }

    @Test
    void lost_claim_that_acted_only_inside_the_store_leaves_no_doubt() {
      Mark lost = processing(new Attempt(1, true, false, false), NOW.minusSeconds(1));
      ClaimAnswer.Acquired taken = acquired(claim(lost, solo(OTHER)));
      assertThat(taken.claim().attempt().inDoubt()).isFalse();
      assertThat(taken.recovered()).as("a takeover all the same").isTrue();
    }

    @Test
    void the_lost_claim_decides_whether_its_loss_leaves_doubt() {
      ClaimTerms internal = new ClaimTerms(true, false, ClaimTerms.ANY_TIME);
      Attempt taken = acquired(claim(EXPIRED, request(OTHER, internal))).claim().attempt();
      assertThat(taken.inDoubt()).as("the lost claim was external").isTrue();
      assertThat(taken.external()).as("the new one is not").isFalse();
    }
  }
}
