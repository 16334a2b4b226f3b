package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer.Fenced;
import io.hapax.mark.SettleAnswer.Settled;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Settlements and renewals of claims: current, late, and of lost marks. */
interface SettleContract extends Bench {

  @Test
  default void a_long_reason_is_cut_and_a_long_result_is_kept() {
    settled("dead", new Verdict.Dead("x".repeat(5000)));
    Bytes result = Bytes.utf8("y".repeat(5000));
    settled("done", new Verdict.Done(result));

    assertThat(mark("dead").detail().length()).isEqualTo(Verdict.MAX_REASON_BYTES);
    assertThat(mark("done").detail()).isEqualTo(result);
  }

  @Test
  default void a_late_owner_can_neither_renew_nor_settle() {
    Claim late = held("m");
    expireLease();
    acquire(solo("m"));

    assertThat(renew(late)).isEqualTo(new RenewAnswer.Fenced(MarkState.PROCESSING));
    assertFenced(late, MarkState.PROCESSING);
  }

  private void assertFenced(Claim claim, MarkState state) {
    Mark before = mark("m");
    for (SettledAs attempted : SettledAs.values()) {
      assertThat(settle(claim, attempted.verdict()))
          .as(attempted.name())
          .isEqualTo(new Fenced(state));
    }
    assertThat(mark("m")).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  default void a_late_owner_is_fenced_by_a_settled_successor(SettledAs successor) {
    Claim late = held("m");
    expireLease();
    settle(acquire(solo("m")).claim(), successor.verdict());

    assertFenced(late, successor.state());
  }

  @Test
  default void the_token_alone_and_the_nonce_alone_settle_nothing() {
    Claim owner = held("m");

    assertFenced(Bench.withToken(owner, owner.token() - 1), MarkState.PROCESSING);
    assertFenced(Bench.withNonce(owner, Bench.nonce()), MarkState.PROCESSING);
  }

  @ParameterizedTest
  @EnumSource
  default void a_settlement_sent_again_gets_the_same_answer(SettledAs settled) {
    Claim claim = settled("m", settled.verdict());
    Mark before = mark("m");
    advance(Duration.ofMinutes(1));

    assertThat(settle(claim, settled.verdict())).isEqualTo(new Settled(false));
    assertThat(mark("m")).isEqualTo(before);
  }

  @Test
  default void settling_a_lost_mark_writes_it_again_with_its_token() {
    for (Verdict verdict : List.of(DONE, RETRY_LATER)) {
      String id = verdict.toString();
      Claim claim = forgotten(id);

      assertThat(settle(claim, verdict)).as(id).isEqualTo(new Settled(true));
      Claim kept = verdict == DONE ? whenDone(claim) : claim;
      assertThat(mark(id).claim().sameAs(kept)).as(id).isTrue();
    }
    assertThat(state(DONE.toString())).isEqualTo(MarkState.DONE);
    assertThat(state(RETRY_LATER.toString())).isEqualTo(MarkState.RETRY);
  }

  /** The settlement may come late, when an operator has redelivered the message. */
  @Test
  default void settling_a_lost_mark_as_dead_writes_no_mark() {
    Claim claim = forgotten("m");

    assertThat(settle(claim, DEAD)).isEqualTo(new Settled(true));
    assertThat(settle(claim, DEAD)).isEqualTo(new Settled(true));

    assertThat(state("m")).isEqualTo(MarkState.ABSENT);
    assertThat(acquire(request("m")).kind()).isEqualTo(Kind.FRESH);
    assertThat(settle(claim, DEAD)).isEqualTo(new Fenced(MarkState.PROCESSING));
  }

  @Test
  default void a_lost_mark_that_was_written_again_is_settled_normally() {
    for (Verdict verdict : List.of(DONE, RETRY_LATER, RELEASE)) {
      String id = verdict.toString();
      Claim claim = forgotten(id);
      renew(claim);

      assertThat(settle(claim, verdict)).as(id).isEqualTo(new Settled(false));
    }
    assertThat(state(DONE.toString())).isEqualTo(MarkState.DONE);
    assertThat(mark(RETRY_LATER.toString()).claim().attempt().number()).isEqualTo(1);
    assertThat(mark(RELEASE.toString()).claim().attempt().number()).isZero();
  }

  /** Both the renewal and the settlement may come late, when the message was redelivered. */
  @Test
  default void a_lost_mark_that_was_written_again_never_becomes_dead() {
    Claim claim = forgotten("m");
    renew(claim);

    assertThat(settle(claim, DEAD)).isEqualTo(new Settled(true));
    assertThat(settle(claim, DEAD)).isEqualTo(new Settled(true));

    assertThat(state("m")).isEqualTo(MarkState.RETRY);
    Acquired again = acquire(request("m"));
    assertThat(again.kind()).isEqualTo(Kind.RETRY);
    assertThat(again.claim().attempt()).isEqualTo(new Attempt(1, false, true, false));
    assertThat(settle(claim, DEAD)).isEqualTo(new Fenced(MarkState.PROCESSING));
  }
}
