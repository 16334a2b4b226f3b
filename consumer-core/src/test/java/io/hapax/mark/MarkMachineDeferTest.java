package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.SettleAnswer.Settled;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The column of the machine's table for DEFER, one test for each cell, and what follows of it. */
@DisplayName("the mark machine: DEFER")
class MarkMachineDeferTest extends SampleMarks {

  private static final long SINCE = MY_CLAIM.token();
  private static final Attempt DEFERRED = new Attempt(0, false, true, false, SINCE);

  private static Mark deferred(Instant due) {
    return retry(DEFERRED, due);
  }

  @Nested
  @DisplayName("cell by cell")
  class Cells {

    @Test
    void absent_mark_is_written_and_reported_as_lost() {
      Claim claim = MY_CLAIM.with(DEFERRED);
      assertBecomes(
          new Mark(claim, MarkState.RETRY, NOW, NOW.plus(BACKOFF), Bytes.EMPTY),
          settle(ABSENT, MY_CLAIM, DEFER_VERDICT),
          new Settled(true));
    }

    @Test
    void held_mark_is_due_after_the_wait_and_its_attempt_is_given_back() {
      for (Mark held : List.of(LEASED, EXPIRED)) {
        assertBecomes(
            deferred(NOW.plus(BACKOFF)), settle(held, MY_CLAIM, DEFER_VERDICT), SETTLED_ANSWER);
      }
    }

    @Test
    void mark_written_anew_takes_the_attempt_of_its_owner() {
      Claim second = MY_CLAIM.with(new Attempt(2, false, true, false));
      Mark anew = writtenAnew(NOW.plus(LEASE));
      Claim next = MY_CLAIM.with(new Attempt(1, false, true, false, SINCE));
      assertBecomes(
          new Mark(next, MarkState.RETRY, NOW, NOW.plus(BACKOFF), Bytes.EMPTY),
          settle(anew, second, DEFER_VERDICT),
          SETTLED_ANSWER);
    }
  }

  @Nested
  @DisplayName("a deferred mark")
  class DeferredMark {

    @Test
    void answers_the_settlement_sent_again_and_gives_nothing_more_back() {
      Mark mark = settle(
              processing(new Attempt(2, false, true, false), NOW.plus(LEASE)),
              MY_CLAIM,
              DEFER_VERDICT)
          .next();
      assertUnchanged(mark, settle(mark, MY_CLAIM, DEFER_VERDICT), SETTLED_ANSWER);
      assertThat(mark.claim().attempt().number()).isEqualTo(1);
    }

    @Test
    void fences_every_final_verdict_of_its_claim_but_a_dead_one() {
      Mark mark = deferred(NOW);
      assertUnchanged(mark, settle(mark, MY_CLAIM, DONE_VERDICT), fenced(MarkState.RETRY));
      assertUnchanged(mark, settle(mark, MY_CLAIM, DEAD_VERDICT), new Settled(true));
    }

    @Test
    void is_claimed_for_the_same_attempt_and_remembers_the_first_deferral() {
      Claim next = acquired(claim(deferred(NOW), shared(OTHER))).claim();
      assertThat(next).isEqualTo(acquiredNow(new Attempt(1, false, true, false, SINCE)));
      assertThat(next.deferredFor()).isEqualTo(Duration.between(CLAIMED, NOW));
    }

    @Test
    void that_is_deferred_again_remembers_the_first_deferral() {
      Transition<ClaimAnswer> second = claim(deferred(NOW), shared(OTHER));
      Mark again =
          settle(second.next(), acquired(second).claim(), DEFER_VERDICT).next();
      assertThat(again.claim().attempt()).isEqualTo(DEFERRED);
    }

    @Test
    void reopened_by_an_operator_forgets_the_first_deferral() {
      Mark reopened = reopen(deferred(NOW)).next();
      assertThat(reopened.claim().attempt()).isEqualTo(new Attempt(0, false, true, false));
    }
  }

  @Nested
  @DisplayName("the first deferral is remembered")
  class FirstDeferral {

    private final Mark held = processing(new Attempt(1, false, true, false, SINCE), NOW);

    @Test
    void through_a_failure_a_release_and_a_renewal() {
      assertThat(since(settle(held, MY_CLAIM, RETRY_VERDICT).next())).isEqualTo(SINCE);
      assertThat(since(settle(held, MY_CLAIM, RELEASE_VERDICT).next())).isEqualTo(SINCE);
      assertThat(since(renew(held, MY_CLAIM).next())).isEqualTo(SINCE);
    }

    @Test
    void through_a_takeover() {
      assertThat(since(claim(held, solo(OTHER)).next())).isEqualTo(SINCE);
    }

    @Test
    void until_the_message_is_done_or_dead() {
      assertThat(since(settle(held, MY_CLAIM, DONE_VERDICT).next())).isZero();
      assertThat(since(settle(held, MY_CLAIM, DEAD_VERDICT).next())).isZero();
    }

    private static long since(Mark mark) {
      return mark.claim().attempt().deferredSince();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_deferral_neither_makes_nor_clears_a_doubt(boolean inDoubt) {
    Mark held = processing(new Attempt(2, false, true, inDoubt), NOW.plus(LEASE));
    Attempt next = settle(held, MY_CLAIM, DEFER_VERDICT).next().claim().attempt();
    assertThat(next.inDoubt()).isEqualTo(inDoubt);
  }

  @Test
  void a_deferral_of_a_solo_claim_leaves_a_mark_that_is_not_solo() {
    Mark held = processing(new Attempt(2, true, true, false), NOW.plus(LEASE));
    Attempt next = settle(held, MY_CLAIM, DEFER_VERDICT).next().claim().attempt();
    assertThat(next).isEqualTo(new Attempt(1, false, true, false, SINCE));
  }

  @Test
  void the_stored_form_of_the_first_deferral_is_read_back() {
    Attempt never = new Attempt(1, false, true, true);
    Attempt since = new Attempt(1, false, true, true, SINCE);

    assertThat(never.deferral()).isEqualTo(Bytes.EMPTY);
    assertThat(never.withDeferral(never.deferral())).isEqualTo(never);
    assertThat(never.withDeferral(since.deferral())).isEqualTo(since);
  }

  @Test
  void negative_values_are_refused() {
    assertThatThrownBy(() -> new Verdict.Defer(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must not be negative");
    assertThatThrownBy(() -> new Attempt(1, false, true, false, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("deferredSince");
  }
}
