package io.hapax.testkit;

import static io.hapax.testkit.Bench.DEAD;
import static io.hapax.testkit.Bench.DONE;
import static io.hapax.testkit.Bench.RETRY_LATER;
import static io.hapax.testkit.Bench.as;
import static io.hapax.testkit.Bench.withPayload;
import static io.hapax.testkit.Bench.withTerms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.store.BrokenTransactionException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Marks and effects of a batch in one transaction. */
interface RunOnceContract<T> extends OnTransactionalBench<T> {

  @Test
  default void an_absent_message_is_done_together_with_its_effect() throws Exception {
    ClaimAnswer answer = transactions().runOnce(bench().request("m"));

    assertThat(Bench.acquired(answer).kind()).isEqualTo(Kind.FRESH);
    assertThat(bench().state("m")).isEqualTo(MarkState.DONE);
    assertThat(transactions().effects("m")).isEqualTo(1);
  }

  @Test
  default void a_retry_that_is_due_is_done_together_with_its_effect() throws Exception {
    bench().settled("m", RETRY_LATER);
    bench().makeRetryDue();

    ClaimAnswer answer = transactions().runOnce(bench().request("m"));

    assertThat(Bench.acquired(answer).kind()).isEqualTo(Kind.RETRY);
    assertThat(Bench.acquired(answer).claim().attempt().number()).isEqualTo(2);
    assertThat(bench().state("m")).isEqualTo(MarkState.DONE);
    assertThat(transactions().effects("m")).isEqualTo(1);
  }

  @Test
  default void a_lost_claim_is_taken_over_even_by_a_shared_one() throws Exception {
    bench().held("m");
    bench().expireLease();

    ClaimAnswer answer = transactions().runOnce(bench().request("m"));

    assertThat(Bench.acquired(answer).kind()).isEqualTo(Kind.TAKEOVER);
    assertThat(bench().state("m")).isEqualTo(MarkState.DONE);
    assertThat(transactions().effects("m")).isEqualTo(1);
  }

  @Test
  default void what_was_claimed_under_the_same_nonce_is_done_under_its_token() throws Exception {
    ClaimRequest request = bench().request("m");
    Acquired claimed = bench().acquire(request);

    ClaimAnswer answer = transactions().runOnce(request);

    assertThat(Bench.acquired(answer).claim()).isEqualTo(claimed.claim());
    assertThat(bench().mark("m").claim().token()).isEqualTo(claimed.claim().token());
    assertThat(transactions().effects("m")).isEqualTo(1);
  }

  @Test
  default void nothing_runs_when_every_message_is_answered_from_its_state() throws Exception {
    bench().settled("done", DONE);
    bench().settled("dead", DEAD);
    bench().held("busy");
    bench().held("conflict");
    bench().settled("not due", RETRY_LATER);
    ClaimTerms late = new ClaimTerms(false, false, Instant.EPOCH);

    List<ClaimAnswer> answers = store()
        .runOnce(
            List.of(
                bench().request("done"),
                bench().request("dead"),
                bench().request("busy"),
                withPayload(bench().request("conflict"), "another"),
                bench().request("not due"),
                withTerms(bench().request("late"), late)),
            (transaction, all) -> {
              throw new AssertionError("the work was run");
            });

    assertThat(answers)
        .extracting(Object::getClass)
        .isEqualTo(List.of(
            ClaimAnswer.Done.class,
            ClaimAnswer.Dead.class,
            ClaimAnswer.Busy.class,
            ClaimAnswer.Conflict.class,
            ClaimAnswer.Busy.class,
            ClaimAnswer.TooLate.class));
  }

  @Test
  default void an_empty_batch_runs_nothing() {
    List<ClaimAnswer> answers = store().runOnce(List.of(), (transaction, all) -> {
      throw new AssertionError("the work was run");
    });

    assertThat(answers).isEmpty();
  }

  @Test
  default void the_work_receives_all_answers_in_the_order_of_the_requests() throws Exception {
    bench().settled("done", DONE);
    bench().held("busy");
    List<ClaimAnswer> received = new ArrayList<>();

    List<ClaimAnswer> answers = store()
        .<Exception>runOnce(
            List.of(
                bench().request("new 1"),
                bench().request("busy"),
                bench().request("done"),
                bench().request("new 2")),
            (transaction, all) -> {
              received.addAll(all);
              transactions().effectOfEach().run(transaction, all);
            });

    assertThat(received).isEqualTo(answers);
    assertThat(Bench.acquired(answers.get(0)).claim().key()).isEqualTo(bench().key("new 1"));
    assertThat(answers.get(1)).isInstanceOf(ClaimAnswer.Busy.class);
    assertThat(answers.get(2)).isInstanceOf(ClaimAnswer.Done.class);
    assertThat(Bench.acquired(answers.get(3)).claim().key()).isEqualTo(bench().key("new 2"));
    assertThat(List.of("new 1", "busy", "done", "new 2"))
        .extracting(transactions()::effects)
        .containsExactly(1, 0, 0, 1);
  }

  @Test
  default void a_batch_that_ran_is_not_run_again() throws Exception {
    ClaimRequest request = bench().request("m");
    transactions().runOnce(request);

    ClaimAnswer resent = transactions().runOnce(request);
    ClaimAnswer duplicate = transactions().runOnce(bench().request("m"));

    assertThat(as(ClaimAnswer.Done.class, resent).own()).isTrue();
    assertThat(as(ClaimAnswer.Done.class, duplicate).own()).isFalse();
    assertThat(transactions().effects("m")).isEqualTo(1);
  }

  @Test
  default void work_that_fails_takes_marks_and_effects_back() throws Exception {
    bench().settled("retry", Bench.RETRY_NOW);
    Mark before = bench().mark("retry");
    List<ClaimRequest> requests = List.of(bench().request("new"), bench().request("retry"));
    WorkFailedException failure = new WorkFailedException();

    assertThatThrownBy(() -> store().<Exception>runOnce(requests, (tx, all) -> {
          transactions().effectOfEach().run(tx, all);
          throw failure;
        }))
        .isSameAs(failure);

    assertThat(bench().state("new")).isEqualTo(MarkState.ABSENT);
    assertThat(bench().mark("retry")).isEqualTo(before);
    assertThat(transactions().effects("new")).isZero();
    assertThat(transactions().effects("retry")).isZero();
  }

  @Test
  default void work_that_ends_in_an_error_takes_marks_and_effects_back() {
    StackOverflowError error = new StackOverflowError();

    assertThatThrownBy(() -> store()
            .<Exception>runOnce(List.of(bench().request("m")), (transaction, all) -> {
              transactions().effectOfEach().run(transaction, all);
              throw error;
            }))
        .isSameAs(error);

    assertThat(bench().state("m")).isEqualTo(MarkState.ABSENT);
    assertThat(transactions().effects("m")).isZero();
  }

  @Test
  default void what_failed_may_run_again_under_the_same_nonce() throws Exception {
    ClaimRequest request = bench().request("m");
    assertThatThrownBy(
            () -> store().<WorkFailedException>runOnce(List.of(request), (transaction, all) -> {
              throw new WorkFailedException();
            }))
        .isInstanceOf(WorkFailedException.class);

    ClaimAnswer answer = transactions().runOnce(request);

    assertThat(answer).isInstanceOf(Acquired.class);
    assertThat(transactions().effects("m")).isEqualTo(1);
  }

  @Test
  default void an_error_that_the_work_swallows_leaves_all_of_it_or_nothing() throws Exception {
    ClaimRequest request = bench().request("m");
    boolean refused = false;
    try {
      store().<Exception>runOnce(List.of(request), (transaction, all) -> {
        transactions().writeEffect(transaction, "m");
        try {
          transactions().meetError(transaction);
          transactions().writeEffect(transaction, "m");
        } catch (Exception swallowed) {
          assertThat(swallowed).isNotNull();
        }
      });
    } catch (BrokenTransactionException e) {
      refused = true;
    }

    assertThat(bench().state("m")).isEqualTo(refused ? MarkState.ABSENT : MarkState.DONE);
    assertThat(transactions().effects("m")).isEqualTo(refused ? 0 : 1);
  }

  @Test
  default void work_that_rolls_back_by_hand_leaves_nothing_and_fails() {
    assertThatThrownBy(() -> store()
            .<Exception>runOnce(List.of(bench().request("m")), (transaction, all) -> {
              transactions().writeEffect(transaction, "m");
              try {
                transactions().rollBackByHand(transaction);
              } catch (BrokenTransactionException swallowed) {
                transactions().writeEffect(transaction, "m");
              }
            }))
        .isInstanceOf(BrokenTransactionException.class);

    assertThat(bench().state("m")).isEqualTo(MarkState.ABSENT);
    assertThat(transactions().effects("m")).isZero();
  }
}
