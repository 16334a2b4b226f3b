package io.hapax.testkit;

import static io.hapax.testkit.Bench.DEAD;
import static io.hapax.testkit.Bench.DONE;
import static io.hapax.testkit.Bench.RELEASE;
import static io.hapax.testkit.Bench.RETRY_DELAY;
import static io.hapax.testkit.Bench.RETRY_LATER;
import static io.hapax.testkit.Bench.RETRY_NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Origin;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.SettleAnswer.Fenced;
import io.hapax.mark.SettleAnswer.Settled;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Settlements of a mark in each state. */
interface SettleContract extends OnBench {

  @Test
  default void done_keeps_the_result_and_drops_the_origin() {
    Bytes result = Bytes.of(new byte[] {0, -1, 13, 10});
    Claim claim = bench().settled("m", new Verdict.Done(result));

    Mark mark = bench().mark("m");

    assertThat(mark.state()).isEqualTo(MarkState.DONE);
    assertThat(mark.detail()).isEqualTo(result);
    assertThat(mark.claim().sameAs(bench().whenDone(claim))).isTrue();
    assertThat(mark.claim().fingerprint()).isEqualTo(claim.fingerprint());
    assertThat(mark.claim().origin()).isEqualTo(Origin.NONE);
    assertThat(mark.claim().attempt()).isEqualTo(new Attempt(1, false, false, false));
  }

  @Test
  default void retry_keeps_the_claim_and_the_time_when_it_is_due() {
    var before = bench().storeTime();
    Claim claim = bench().settled("m", new Verdict.Retry(RETRY_DELAY, true));

    Mark mark = bench().mark("m");

    assertThat(mark.state()).isEqualTo(MarkState.RETRY);
    assertThat(mark.until())
        .isBetween(before.plus(RETRY_DELAY), before.plus(RETRY_DELAY).plusSeconds(60));
    assertThat(mark.claim().sameAs(claim)).isTrue();
    assertThat(mark.claim().origin()).isEqualTo(claim.origin());
    assertThat(mark.claim().attempt()).isEqualTo(new Attempt(1, false, true, true));
  }

  @Test
  default void dead_keeps_the_reason_and_the_origin() {
    Claim claim = bench().settled("m", DEAD);

    Mark mark = bench().mark("m");

    assertThat(mark.state()).isEqualTo(MarkState.DEAD);
    assertThat(mark.claim()).isEqualTo(claim);
    assertThat(mark.detail()).isEqualTo(Bytes.utf8("no such customer"));
  }

  @Test
  default void a_long_reason_is_cut_and_a_long_result_is_kept() {
    bench().settled("dead", new Verdict.Dead("x".repeat(5000)));
    Bytes result = Bytes.utf8("y".repeat(5000));
    bench().settled("done", new Verdict.Done(result));

    assertThat(bench().mark("dead").detail().length()).isEqualTo(Verdict.MAX_REASON_BYTES);
    assertThat(bench().mark("done").detail()).isEqualTo(result);
  }

  @Test
  default void an_owner_with_an_expired_lease_may_settle_before_a_takeover() {
    Claim claim = bench().held("m");
    bench().expireLease();

    assertThat(bench().settle(claim, DONE)).isEqualTo(new Settled(false));
    assertThat(bench().state("m")).isEqualTo(MarkState.DONE);
  }

  @Test
  default void a_late_owner_can_neither_renew_nor_settle() {
    Claim late = bench().held("m");
    bench().expireLease();
    bench().acquire(bench().solo("m"));
    Mark before = bench().mark("m");

    assertThat(bench().renew(late)).isEqualTo(new RenewAnswer.Fenced(MarkState.PROCESSING));
    for (Verdict verdict : List.of(DONE, RETRY_NOW, RELEASE, DEAD)) {
      assertThat(bench().settle(late, verdict)).isEqualTo(new Fenced(MarkState.PROCESSING));
    }
    assertThat(bench().mark("m")).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  default void a_late_owner_is_fenced_by_a_settled_successor(SettledAs successor) {
    Claim late = bench().held("m");
    bench().expireLease();
    bench().settle(bench().acquire(bench().solo("m")).claim(), successor.verdict());
    Mark before = bench().mark("m");

    for (SettledAs attempted : SettledAs.values()) {
      assertThat(bench().settle(late, attempted.verdict()))
          .as(attempted.name())
          .isEqualTo(new Fenced(successor.state()));
    }
    assertThat(bench().mark("m")).isEqualTo(before);
  }

  @Test
  default void the_token_alone_and_the_nonce_alone_settle_nothing() {
    Claim owner = bench().held("m");
    Mark before = bench().mark("m");

    SettleAnswer otherToken = bench().settle(Bench.withToken(owner, owner.token() - 1), DONE);
    SettleAnswer otherNonce = bench().settle(Bench.withNonce(owner, Bench.nonce()), DONE);

    assertThat(otherToken).isEqualTo(new Fenced(MarkState.PROCESSING));
    assertThat(otherNonce).isEqualTo(new Fenced(MarkState.PROCESSING));
    assertThat(bench().mark("m")).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  default void a_settlement_sent_again_gets_the_same_answer(SettledAs settled) {
    Claim claim = bench().settled("m", settled.verdict());
    Mark before = bench().mark("m");
    bench().advance(Duration.ofMinutes(1));

    assertThat(bench().settle(claim, settled.verdict())).isEqualTo(new Settled(false));
    assertThat(bench().mark("m")).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  default void a_settled_claim_keeps_its_state(SettledAs settled) {
    Claim claim = bench().settled("m", settled.verdict());
    Mark before = bench().mark("m");

    for (SettledAs next : SettledAs.values()) {
      assertThat(bench().settle(claim, next.verdict()))
          .as(next.name())
          .isEqualTo(secondAnswer(settled, next));
    }
    assertThat(bench().mark("m")).isEqualTo(before);
  }

  /**
   * Returns the answer to another settlement of a settled claim. A released or deferred mark has no
   * counted attempt, like one that was written again after a loss, and such a mark never becomes
   * dead.
   */
  private static SettleAnswer secondAnswer(SettledAs settled, SettledAs next) {
    if (next.state() == settled.state()) {
      return new Settled(false);
    }
    boolean uncounted = settled == SettledAs.RELEASED || settled == SettledAs.DEFERRED;
    return uncounted && next == SettledAs.DEAD ? new Settled(true) : new Fenced(settled.state());
  }

  @Test
  default void settling_a_lost_mark_writes_it_again_with_its_token() {
    for (Verdict verdict : List.of(DONE, RETRY_LATER)) {
      String id = verdict.toString();
      Claim claim = bench().forgotten(id);

      assertThat(bench().settle(claim, verdict)).as(id).isEqualTo(new Settled(true));
      Claim kept = verdict == DONE ? bench().whenDone(claim) : claim;
      assertThat(bench().mark(id).claim().sameAs(kept)).as(id).isTrue();
    }
    assertThat(bench().state(DONE.toString())).isEqualTo(MarkState.DONE);
    assertThat(bench().state(RETRY_LATER.toString())).isEqualTo(MarkState.RETRY);
  }

  /** The settlement may come late, when an operator has redelivered the message. */
  @Test
  default void settling_a_lost_mark_as_dead_writes_no_mark() {
    Claim claim = bench().forgotten("m");

    assertThat(bench().settle(claim, DEAD)).isEqualTo(new Settled(true));
    assertThat(bench().settle(claim, DEAD)).isEqualTo(new Settled(true));

    assertThat(bench().state("m")).isEqualTo(MarkState.ABSENT);
    assertThat(bench().acquire(bench().request("m")).kind()).isEqualTo(Kind.FRESH);
    assertThat(bench().settle(claim, DEAD)).isEqualTo(new Fenced(MarkState.PROCESSING));
  }

  @Test
  default void releasing_a_lost_mark_writes_nothing() {
    Claim claim = bench().forgotten("m");

    assertThat(bench().settle(claim, RELEASE)).isEqualTo(new Settled(false));
    assertThat(bench().state("m")).isEqualTo(MarkState.ABSENT);
  }
}
