package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Attempt;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.MarkState;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer.Fenced;
import io.hapax.mark.SettleAnswer.Settled;
import io.hapax.mark.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Renewals of a mark in each state. */
interface RenewContract extends Bench {

  @Test
  default void an_owner_with_an_expired_lease_may_renew_before_a_takeover() {
    Claim claim = held("m");
    expireLease();

    assertThat(renew(claim)).isInstanceOf(RenewAnswer.Renewed.class);
    assertThat(claim(solo("m"))).isInstanceOf(ClaimAnswer.Busy.class);
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
