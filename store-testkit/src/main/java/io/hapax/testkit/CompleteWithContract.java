package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.Claim;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.SettleAnswer.Fenced;
import io.hapax.mark.SettleAnswer.Settled;
import org.junit.jupiter.api.Test;

/** Completion of an earlier claim and its effect in one transaction. */
interface CompleteWithContract<T> extends TransactionalBench<T> {

  @Test
  default void a_claim_is_done_together_with_its_effect() throws Exception {
    Claim claim = held("m");

    SettleAnswer answer = completeWith(claim, "m");

    assertThat(answer).isEqualTo(new Settled(false));
    assertThat(state("m")).isEqualTo(MarkState.DONE);
    assertThat(mark("m").claim().sameAs(claim)).isTrue();
    assertThat(effects("m")).isEqualTo(1);
  }

  @Test
  default void an_owner_with_an_expired_lease_may_complete_before_a_takeover() throws Exception {
    Claim claim = held("m");
    expireLease();

    assertThat(completeWith(claim, "m")).isEqualTo(new Settled(false));
    assertThat(effects("m")).isEqualTo(1);
  }

  @Test
  default void a_late_owner_completes_nothing_and_its_work_is_not_run() {
    Claim late = held("m");
    expireLease();
    acquire(solo("m"));

    assertNotRun(late, "m", MarkState.PROCESSING);
  }

  @Test
  default void a_claim_settled_otherwise_is_not_completed() {
    assertNotRun(settled("retry", RETRY_NOW), "retry", MarkState.RETRY);
    assertNotRun(settled("dead", DEAD), "dead", MarkState.DEAD);
  }

  @Test
  default void a_stranger_completes_nothing() {
    Claim owner = held("m");

    assertNotRun(Bench.withToken(owner, owner.token() + 1), "m", MarkState.PROCESSING);
    assertNotRun(Bench.withNonce(owner, Bench.nonce()), "m", MarkState.PROCESSING);
  }

  private void assertNotRun(Claim claim, String id, MarkState state) {
    Mark before = mark(id);

    SettleAnswer answer = store().completeWith(claim, transaction -> {
      throw new AssertionError("the work was run");
    });

    assertThat(answer).as(id).isEqualTo(new Fenced(state));
    assertThat(mark(id)).isEqualTo(before);
  }

  @Test
  default void a_committed_claim_gets_the_same_answer_again_without_running() throws Exception {
    Claim claim = held("m");
    completeWith(claim, "m");

    SettleAnswer again = completeWith(claim, "m");

    assertThat(again).isEqualTo(new Settled(false));
    assertThat(effects("m")).isEqualTo(1);
  }

  @Test
  default void work_that_fails_leaves_the_claim_as_it_was() throws Exception {
    Claim claim = held("m");
    Mark before = mark("m");

    assertFails(claim);

    assertThat(mark("m")).isEqualTo(before);
    assertThat(completeWith(claim, "m")).isEqualTo(new Settled(false));
  }

  private void assertFails(Claim claim) {
    WorkFailedException failure = new WorkFailedException();
    assertThatThrownBy(() -> store().<Exception>completeWith(claim, transaction -> {
          writeEffect(transaction, "m");
          throw failure;
        }))
        .isSameAs(failure);
    assertThat(effects("m")).isZero();
  }

  @Test
  default void a_lost_mark_is_written_with_its_effect_and_reported() throws Exception {
    Claim claim = forgotten("m");

    SettleAnswer answer = completeWith(claim, "m");
    SettleAnswer again = completeWith(claim, "m");

    assertThat(answer).isEqualTo(new Settled(true));
    assertThat(again).isEqualTo(new Settled(false));
    assertThat(mark("m").claim().sameAs(claim)).isTrue();
    assertThat(state("m")).isEqualTo(MarkState.DONE);
    assertThat(effects("m")).isEqualTo(1);
  }

  @Test
  default void work_on_a_lost_mark_that_fails_leaves_no_mark() {
    assertFails(forgotten("m"));

    assertThat(state("m")).isEqualTo(MarkState.ABSENT);
  }
}
