package io.hapax.testkit;

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
interface RunOnceContract<T> extends TransactionalBench<T> {

  @Test
  default void an_absent_message_is_done_together_with_its_effect() throws Exception {
    ClaimAnswer answer = runOnce(request("m"));

    assertThat(Bench.acquired(answer).kind()).isEqualTo(Kind.FRESH);
    assertThat(state("m")).isEqualTo(MarkState.DONE);
    assertThat(effects("m")).isEqualTo(1);
  }

  @Test
  default void a_retry_that_is_due_is_done_together_with_its_effect() throws Exception {
    settled("m", RETRY_LATER);
    makeRetryDue();

    ClaimAnswer answer = runOnce(request("m"));

    assertThat(Bench.acquired(answer).kind()).isEqualTo(Kind.RETRY);
    assertThat(Bench.acquired(answer).claim().attempt().number()).isEqualTo(2);
    assertThat(state("m")).isEqualTo(MarkState.DONE);
    assertThat(effects("m")).isEqualTo(1);
  }

  @Test
  default void a_lost_claim_is_taken_over_even_by_a_shared_one() throws Exception {
    held("m");
    expireLease();

    ClaimAnswer answer = runOnce(request("m"));

    assertThat(Bench.acquired(answer).kind()).isEqualTo(Kind.TAKEOVER);
    assertThat(state("m")).isEqualTo(MarkState.DONE);
    assertThat(effects("m")).isEqualTo(1);
  }

  @Test
  default void what_was_claimed_under_the_same_nonce_is_done_under_its_token() throws Exception {
    ClaimRequest request = request("m");
    Acquired claimed = acquire(request);

    ClaimAnswer answer = runOnce(request);

    assertThat(Bench.acquired(answer).claim()).isEqualTo(claimed.claim());
    assertThat(mark("m").claim().token()).isEqualTo(claimed.claim().token());
    assertThat(effects("m")).isEqualTo(1);
  }

  @Test
  default void nothing_runs_when_every_message_is_answered_from_its_state() throws Exception {
    settled("done", DONE);
    settled("dead", DEAD);
    held("busy");
    held("conflict");
    settled("not due", RETRY_LATER);
    ClaimTerms late = new ClaimTerms(false, false, Instant.EPOCH);

    List<ClaimAnswer> answers = store()
        .runOnce(
            List.of(
                request("done"),
                request("dead"),
                request("busy"),
                withPayload(request("conflict"), "another"),
                request("not due"),
                withTerms(request("late"), late)),
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
    settled("done", DONE);
    held("busy");
    List<ClaimAnswer> received = new ArrayList<>();

    List<ClaimAnswer> answers = store()
        .<Exception>runOnce(
            List.of(request("new 1"), request("busy"), request("done"), request("new 2")),
            (transaction, all) -> {
              received.addAll(all);
              effectOfEach().run(transaction, all);
            });

    assertThat(received).isEqualTo(answers);
    assertThat(Bench.acquired(answers.get(0)).claim().key()).isEqualTo(key("new 1"));
    assertThat(answers.get(1)).isInstanceOf(ClaimAnswer.Busy.class);
    assertThat(answers.get(2)).isInstanceOf(ClaimAnswer.Done.class);
    assertThat(Bench.acquired(answers.get(3)).claim().key()).isEqualTo(key("new 2"));
    assertThat(List.of("new 1", "busy", "done", "new 2"))
        .extracting(this::effects)
        .containsExactly(1, 0, 0, 1);
  }

  @Test
  default void a_batch_that_ran_is_not_run_again() throws Exception {
    ClaimRequest request = request("m");
    runOnce(request);

    ClaimAnswer resent = runOnce(request);
    ClaimAnswer duplicate = runOnce(request("m"));

    assertThat(as(ClaimAnswer.Done.class, resent).own()).isTrue();
    assertThat(as(ClaimAnswer.Done.class, duplicate).own()).isFalse();
    assertThat(effects("m")).isEqualTo(1);
  }

  @Test
  default void work_that_fails_takes_marks_and_effects_back() {
    settled("retry", RETRY_NOW);
    Mark before = mark("retry");
    List<ClaimRequest> requests = List.of(request("new"), request("retry"));

    assertFails(requests, new WorkFailedException());

    assertThat(state("new")).isEqualTo(MarkState.ABSENT);
    assertThat(mark("retry")).isEqualTo(before);
    assertThat(effects("new")).isZero();
    assertThat(effects("retry")).isZero();
  }

  @Test
  default void work_that_ends_in_an_error_takes_marks_and_effects_back() {
    assertFails(List.of(request("m")), new StackOverflowError());

    assertThat(state("m")).isEqualTo(MarkState.ABSENT);
    assertThat(effects("m")).isZero();
  }

  @Test
  default void what_failed_may_run_again_under_the_same_nonce() throws Exception {
    ClaimRequest request = request("m");
    assertFails(List.of(request), new WorkFailedException());

    ClaimAnswer answer = runOnce(request);

    assertThat(answer).isInstanceOf(Acquired.class);
    assertThat(effects("m")).isEqualTo(1);
  }

  @Test
  default void an_error_that_the_work_swallows_leaves_all_of_it_or_nothing() throws Exception {
    ClaimRequest request = request("m");
    boolean refused = false;
    try {
      store().<Exception>runOnce(List.of(request), (transaction, all) -> {
        writeEffect(transaction, "m");
        try {
          fixture().meetError(transaction);
          writeEffect(transaction, "m");
        } catch (Exception swallowed) {
          assertThat(swallowed).isNotNull();
        }
      });
    } catch (BrokenTransactionException e) {
      refused = true;
    }

    assertThat(state("m")).isEqualTo(refused ? MarkState.ABSENT : MarkState.DONE);
    assertThat(effects("m")).isEqualTo(refused ? 0 : 1);
  }

  @Test
  default void work_that_rolls_back_by_hand_leaves_nothing_and_fails() {
    assertThatThrownBy(() -> store()
            .<Exception>runOnce(List.of(request("m")), (transaction, all) -> {
              writeEffect(transaction, "m");
              try {
                fixture().rollBackByHand(transaction);
              } catch (BrokenTransactionException swallowed) {
                writeEffect(transaction, "m");
              }
            }))
        .isInstanceOf(BrokenTransactionException.class);

    assertThat(state("m")).isEqualTo(MarkState.ABSENT);
    assertThat(effects("m")).isZero();
  }
}
