package io.hapax.testkit;

import static io.hapax.testkit.Bench.DEAD;
import static io.hapax.testkit.Bench.DONE;
import static io.hapax.testkit.Bench.LEASE;
import static io.hapax.testkit.Bench.RELEASE;
import static io.hapax.testkit.Bench.RETRY_LATER;
import static io.hapax.testkit.Bench.as;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Attempt;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer.Fenced;
import io.hapax.mark.SettleAnswer.Settled;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Renewals of a mark in each state. */
interface RenewContract extends OnBench {

  @Test
  default void renewing_prolongs_the_lease_from_now() {
    Claim claim = bench().held("m");
    bench().advance(Duration.ofMinutes(6));
    Instant before = bench().storeTime();

    RenewAnswer answer = bench().renew(claim);

    RenewAnswer.Renewed renewed = as(RenewAnswer.Renewed.class, answer);
    assertThat(renewed.markLost()).isFalse();
    assertThat(renewed.leaseUntil())
        .isBetween(before.plus(LEASE), before.plus(LEASE).plusSeconds(60));
    assertThat(bench().mark("m").until()).isEqualTo(renewed.leaseUntil());
    assertThat(bench().mark("m").claim()).isEqualTo(claim);
  }

  @Test
  default void an_owner_with_an_expired_lease_may_renew_before_a_takeover() {
    Claim claim = bench().held("m");
    bench().expireLease();

    assertThat(bench().renew(claim)).isInstanceOf(RenewAnswer.Renewed.class);
    assertThat(bench().claim(bench().solo("m"))).isInstanceOf(ClaimAnswer.Busy.class);
  }

  @Test
  default void renewing_a_lost_mark_writes_it_again_with_its_token() {
    Claim claim = bench().forgotten("m");

    RenewAnswer answer = bench().renew(claim);

    assertThat(as(RenewAnswer.Renewed.class, answer).markLost()).isTrue();
    assertThat(bench().state("m")).isEqualTo(MarkState.PROCESSING);
    Claim anew = bench().mark("m").claim();
    assertThat(anew.sameAs(claim)).isTrue();
    assertThat(anew.origin()).isEqualTo(claim.origin());
    assertThat(anew.attempt()).isEqualTo(new Attempt(0, false, true, false));
  }

  @Test
  default void a_lost_mark_that_was_written_again_is_settled_normally() {
    for (Verdict verdict : List.of(DONE, RETRY_LATER, RELEASE)) {
      String id = verdict.toString();
      Claim claim = bench().forgotten(id);
      bench().renew(claim);

      assertThat(bench().settle(claim, verdict)).as(id).isEqualTo(new Settled(false));
    }
    assertThat(bench().state(DONE.toString())).isEqualTo(MarkState.DONE);
    assertThat(bench().mark(RETRY_LATER.toString()).claim().attempt().number()).isEqualTo(1);
    assertThat(bench().mark(RELEASE.toString()).claim().attempt().number()).isZero();
  }

  /** Both the renewal and the settlement may come late, when the message was redelivered. */
  @Test
  default void a_lost_mark_that_was_written_again_never_becomes_dead() {
    Claim claim = bench().forgotten("m");
    bench().renew(claim);

    assertThat(bench().settle(claim, DEAD)).isEqualTo(new Settled(true));
    assertThat(bench().settle(claim, DEAD)).isEqualTo(new Settled(true));

    assertThat(bench().state("m")).isEqualTo(MarkState.RETRY);
    Acquired again = bench().acquire(bench().request("m"));
    assertThat(again.kind()).isEqualTo(Kind.RETRY);
    assertThat(again.claim().attempt()).isEqualTo(new Attempt(1, false, true, false));
    assertThat(bench().settle(claim, DEAD)).isEqualTo(new Fenced(MarkState.PROCESSING));
  }

  @Test
  default void a_stranger_cannot_renew_a_claim() {
    Claim owner = bench().held("m");
    var before = bench().mark("m");

    RenewAnswer otherToken = bench().renew(Bench.withToken(owner, owner.token() + 1));
    RenewAnswer otherNonce = bench().renew(Bench.withNonce(owner, Bench.nonce()));

    assertThat(otherToken).isEqualTo(new RenewAnswer.Fenced(MarkState.PROCESSING));
    assertThat(otherNonce).isEqualTo(new RenewAnswer.Fenced(MarkState.PROCESSING));
    assertThat(bench().mark("m")).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  default void a_settled_claim_cannot_be_renewed(SettledAs settled) {
    Claim claim = bench().settled("m", settled.verdict());
    Mark before = bench().mark("m");

    assertThat(bench().renew(claim)).isEqualTo(new RenewAnswer.Fenced(settled.state()));
    assertThat(bench().mark("m")).isEqualTo(before);
  }
}
