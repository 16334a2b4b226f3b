package io.hapax.mark;

import static io.hapax.mark.SampleMarks.DEAD_VERDICT;
import static io.hapax.mark.SampleMarks.DONE_VERDICT;
import static io.hapax.mark.SampleMarks.DUE;
import static io.hapax.mark.SampleMarks.EXPIRED;
import static io.hapax.mark.SampleMarks.IN_DOUBT_VERDICT;
import static io.hapax.mark.SampleMarks.LEASE;
import static io.hapax.mark.SampleMarks.LEASED;
import static io.hapax.mark.SampleMarks.MINE;
import static io.hapax.mark.SampleMarks.MY_CLAIM;
import static io.hapax.mark.SampleMarks.NOW;
import static io.hapax.mark.SampleMarks.OTHER;
import static io.hapax.mark.SampleMarks.RELEASE_VERDICT;
import static io.hapax.mark.SampleMarks.RETRY_VERDICT;
import static io.hapax.mark.SampleMarks.acquired;
import static io.hapax.mark.SampleMarks.assertUnchanged;
import static io.hapax.mark.SampleMarks.claim;
import static io.hapax.mark.SampleMarks.done;
import static io.hapax.mark.SampleMarks.processing;
import static io.hapax.mark.SampleMarks.request;
import static io.hapax.mark.SampleMarks.retry;
import static io.hapax.mark.SampleMarks.settle;
import static io.hapax.mark.SampleMarks.shared;
import static io.hapax.mark.SampleMarks.solo;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the machine makes of the attempts of a message, and of what they may have done. */
@DisplayName("the mark machine's attempts")
class MarkMachineAttemptsTest {

  @Nested
  @DisplayName("invariant 10: which losses cost an attempt")
  class Attempts {

    private final Mark soloLost =
        processing(new Attempt(2, true, true, false), NOW.minusSeconds(1));
    private final Mark sharedLost =
        processing(new Attempt(2, false, true, false), NOW.minusSeconds(1));

    private static Attempt attempt(Transition<ClaimAnswer> transition) {
      return acquired(transition).claim().attempt();
    }

    @Test
    void loss_of_a_shared_claim_costs_none_and_requires_a_solo_claim() {
      assertUnchanged(
          sharedLost,
          claim(sharedLost, shared(OTHER)),
          new ClaimAnswer.Suspect(sharedLost.claim().attempt()));
      assertThat(attempt(claim(sharedLost, solo(OTHER))).number()).isEqualTo(2);
    }

    @Test
    void loss_of_a_solo_claim_costs_one() {
      assertThat(attempt(claim(soloLost, solo(OTHER))).number()).isEqualTo(3);
    }

    @Test
    void loss_of_a_solo_claim_too_is_taken_over_by_a_solo_claim_only() {
      assertUnchanged(
          soloLost,
          claim(soloLost, shared(OTHER)),
          new ClaimAnswer.Suspect(soloLost.claim().attempt()));
    }

    @Test
    void takeover_remembers_that_it_is_solo() {
      assertThat(attempt(claim(sharedLost, solo(OTHER))).solo()).isTrue();
    }

    @Test
    void release_gives_the_attempt_back() {
      Mark released = settle(LEASED, MY_CLAIM, RELEASE_VERDICT).next();
      assertThat(released.claim().attempt().number()).isZero();
      assertThat(attempt(claim(released, shared(OTHER))).number()).isEqualTo(1);
    }

    @Test
    void release_of_a_takeover_gives_back_that_attempt_only() {
      Transition<ClaimAnswer> taken = claim(soloLost, solo(OTHER));
      Mark released =
          settle(taken.next(), acquired(taken).claim(), RELEASE_VERDICT).next();
      assertThat(released.claim().attempt().number()).isEqualTo(2);
    }

    @Test
    void release_sent_again_gives_nothing_more_back() {
      Mark second = processing(new Attempt(2, false, true, false), NOW.plus(LEASE));
      Mark released = settle(second, MY_CLAIM, RELEASE_VERDICT).next();
      assertThat(settle(released, MY_CLAIM, RELEASE_VERDICT).next()).isSameAs(released);
      assertThat(released.claim().attempt().number()).isEqualTo(1);
    }

    @Test
    void claim_sent_again_costs_none() {
      assertThat(attempt(claim(LEASED, shared(MINE))).number()).isEqualTo(1);
    }

    @Test
    void every_failure_costs_one() {
      assertThat(attempt(claim(DUE, shared(OTHER))).number()).isEqualTo(2);
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
    void doubt_stays_through_a_later_attempt_that_certainly_did_nothing() {
      Mark attempt = processing(doubtful, NOW.plus(LEASE));
      Mark failed = settle(attempt, MY_CLAIM, RETRY_VERDICT).next();
      assertThat(failed.claim().attempt().inDoubt()).isTrue();
    }

    @Test
    void doubt_stays_through_release() {
      Mark released =
          settle(processing(doubtful, NOW), MY_CLAIM, RELEASE_VERDICT).next();
      assertThat(released.claim().attempt().inDoubt()).isTrue();
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
