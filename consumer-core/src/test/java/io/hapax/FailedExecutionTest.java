package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.hapax.ExecutionResult.Executed;
import io.hapax.ExecutionResult.InDoubt;
import io.hapax.ExecutionResult.InProgress;
import io.hapax.ExecutionResult.Replayed;
import io.hapax.OutcomeProbe.Answer;
import io.hapax.errors.DeferredException;
import io.hapax.errors.NotAppliedException;
import io.hapax.errors.RejectedMessageException;
import io.hapax.mark.MarkState;
import io.hapax.mark.Resolution;
import io.hapax.store.StoreException;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that throw, owners that vanish, and stores that do not answer. */
class FailedExecutionTest extends ExecutorFixture {

  private static final ProbeSettings NO_QUIET =
      new ProbeSettings(Duration.ofSeconds(5), Duration.ZERO);

  /** Short, but long enough for a call on a busy machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final IdempotentExecutor executor = executor();

  private static Throwable failing(IdempotentExecutor executor, Throwable failure) {
    return catchThrowable(() -> executor.execute("a", BODY, delivery -> {
      if (failure instanceof Error error) {
        throw error;
      }
      throw (Exception) failure;
    }));
  }

  private static List<Throwable> failures() {
    return List.of(
        new IOException("no route"),
        new IllegalStateException("no stock"),
        new AssertionError("impossible"),
        new NotAppliedException("refused"),
        new DeferredException(Duration.ofHours(1)),
        new RejectedMessageException("malformed"),
        new InvalidObjectException("not convertible"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void a_call_that_throws_may_run_again_at_once(Throwable failure) throws Exception {
    assertThat(failing(executor, failure)).isSameAs(failure);

    assertThat(executor.problems()).isEmpty();
    assertThat(executor.execute("a", BODY, effect("second")))
        .isEqualTo(new Executed(text("second")));
  }

  @Test
  void a_call_after_one_in_doubt_is_a_recovery() throws Exception {
    List<Boolean> recoveries = new ArrayList<>();

    failing(executor, new NotAppliedException("refused"));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> executor.execute("a", BODY, delivery -> {
            recoveries.add(delivery.recovery());
            throw new IllegalStateException("after the effect?");
          }))
          .hasMessage("after the effect?");
    }

    assertThat(recoveries).containsExactly(false, true);
  }

  @Test
  void a_refused_call_stays_in_doubt_until_an_operator_decides() throws Exception {
    IdempotentExecutor refusing = open(executors().refuseUnknownOutcome().leased(store));
    failing(refusing, new NotAppliedException("refused"));
    failing(refusing, new IllegalStateException("after the effect?"));

    for (int i = 0; i < 3; i++) {
      assertThat(refusing.execute("a", BODY, effect("again"))).isInstanceOf(InDoubt.class);
    }
    assertThat(refusing.problems()).isEmpty();
    assertThat(effects).isEmpty();

    long token = mark("a").claim().token();
    marks.resolve(key("a"), token, MarkState.RETRY, Resolution.FORCE_DONE);
    assertThat(refusing.execute("a", BODY, effect("again")))
        .isEqualTo(new Replayed(Optional.empty()));
  }

  @Test
  void a_probe_decides_about_a_call_in_doubt() throws Exception {
    Deque<Answer> answers = new ArrayDeque<>(
        List.of(Answer.unknown("the bank is closed"), Answer.applied(text("receipt"))));
    List<String> asked = new ArrayList<>();
    IdempotentExecutor probing = open(executors()
        .probeUnknownOutcome(
            delivery -> {
              asked.add(delivery.message().toString());
              return answers.remove();
            },
            NO_QUIET)
        .leased(store));
    failing(probing, new IllegalStateException("after the effect?"));

    assertThat(probing.execute("a", BODY, effect("x")))
        .isEqualTo(new InDoubt("an earlier attempt may have taken effect: the bank is closed"));
    assertThat(probing.execute("a", BODY, effect("x")))
        .isEqualTo(new Replayed(Optional.of(text("receipt"))));
    assertThat(probing.execute("a", BODY, effect("x")))
        .isEqualTo(new Replayed(Optional.of(text("receipt"))));

    assertThat(asked).containsExactly("a", "a");
    assertThat(effects).isEmpty();
  }

  @Test
  void without_the_store_nothing_runs_and_the_caller_is_told_in_time() throws Exception {
    IdempotentExecutor hasty = open(executors().patience(PATIENCE).leased(store));
    callsToLose.set(Integer.MAX_VALUE);

    assertThatThrownBy(() -> hasty.execute("a", BODY, effect("x")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no answer for a within the patience of PT1S, and nothing ran")
        .hasMessageContaining("the call was lost");
    assertThat(hasty.problems()).isNotEmpty();

    callsToLose.set(0);
    await().until(() -> {
      try {
        return hasty.execute("a", BODY, effect("later")) instanceof Executed;
      } catch (StoreException notYet) {
        return false;
      }
    });
    assertThat(effects).containsExactly("a later");
    assertThat(hasty.problems()).isEmpty();
  }

  @Test
  void a_caller_does_not_wait_for_ever_for_the_done_mark() throws Exception {
    IdempotentExecutor hasty = open(executors().patience(PATIENCE).leased(store));
    assertThatThrownBy(() -> hasty.execute("a", BODY, delivery -> {
          callsToLose.set(Integer.MAX_VALUE);
          return effect("done").call(delivery);
        }))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the call for a took effect, but the store did not take its DONE")
        .hasMessageContaining("the call was lost");
    assertThat(catchThrowable(() -> hasty.execute("a", BODY, effect("again"))))
        .isInstanceOf(StoreException.class);

    callsToLose.set(0);
    await().until(() -> hasty.problems().isEmpty());
    assertThat(hasty.execute("a", BODY, effect("again")))
        .isEqualTo(new Replayed(Optional.of(text("done"))));
    assertThat(effects).containsExactly("a done");
  }

  @Test
  void an_exception_of_the_call_does_not_wait_for_ever_either() throws Exception {
    IdempotentExecutor hasty = open(executors().patience(PATIENCE).leased(store));
    IllegalStateException failure = new IllegalStateException("no stock");

    assertThatThrownBy(() -> hasty.execute("a", BODY, delivery -> {
          callsToLose.set(Integer.MAX_VALUE);
          throw failure;
        }))
        .isSameAs(failure);

    callsToLose.set(0);
    await().until(() -> hasty.problems().isEmpty());
    assertThat(hasty.execute("a", BODY, effect("again"))).isInstanceOf(Executed.class);
  }

  @Test
  void a_lost_reply_to_the_claim_or_to_the_done_mark_costs_no_second_run() throws Exception {
    executor.execute("before", BODY, effect("x"));
    repliesToLose.set(1);
    executor.execute("a", BODY, effect("x"));
    executor.execute("b", BODY, delivery -> {
      repliesToLose.set(1);
      return effect("x").call(delivery);
    });

    assertThat(effects).containsExactly("before x", "a x", "b x");
    assertThat(executor.execute("b", BODY, effect("y")))
        .isEqualTo(new Replayed(Optional.of(text("x"))));
  }

  @Test
  void a_call_whose_lease_was_lost_is_in_progress_elsewhere() throws Exception {
    ExecutionResult answer = executor.execute("a", BODY, delivery -> {
      clock.advance(Duration.ofMinutes(1));
      claimedElsewhere("a", true, Duration.ofMinutes(1));
      return text("late");
    });

    assertThat(answer).isInstanceOf(InProgress.class);
  }

  @Test
  void an_interrupt_before_the_call_lets_nothing_run() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> executor.execute("a", BODY, effect("x")))
        .isInstanceOf(InterruptedException.class);
    assertThat(effects).isEmpty();
  }

  @Test
  void an_interrupt_in_a_call_is_passed_on_and_its_result_is_kept() throws Exception {
    assertThatThrownBy(() -> executor.execute("a", BODY, delivery -> {
          Thread.currentThread().interrupt();
          return text("done");
        }))
        .isInstanceOf(InterruptedException.class);

    assertThat(executor.execute("a", BODY, effect("x")))
        .isEqualTo(new Replayed(Optional.of(text("done"))));
  }

  @Test
  void a_call_that_throws_after_an_interrupt_keeps_both() {
    assertThatThrownBy(() -> executor.execute("a", BODY, delivery -> {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("gave up");
        }))
        .hasMessage("gave up");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void closing_waits_for_a_call_that_runs() throws Exception {
    Gate gate = new Gate();
    Future<ExecutionResult> call = threads.submit(() -> executor.execute("a", BODY, delivery -> {
      gate.pass();
      return text("done");
    }));
    gate.awaitReached();
    Future<?> closing = threads.submit(executor::close);
    gate.open();

    closing.get();
    assertThat(call.get()).isEqualTo(new Executed(text("done")));
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }
}
