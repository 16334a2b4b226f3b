package io.hapax.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.health.Problem;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.SettleAnswer;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import org.junit.jupiter.api.Test;

class TransactionCallsTest {

  private final TestRunning running = new TestRunning(new TestSettings());
  private final ClaimedMessage<String> message = running.started("A");
  private final Exception cause = new IllegalStateException();
  private final RuntimeException unknown = new CommitUnknownException("connection lost", cause);

  private SettleAnswer complete() throws HandlerFailure {
    return running.transactions.completeWith(message);
  }

  @Test
  void a_commit_whose_outcome_is_unknown_is_found_by_a_repeated_call() throws Exception {
    running.store.commitErrors.add(unknown);
    running.store.commitErrors.add(unknown);

    assertThat(complete()).isEqualTo(new SettleAnswer.Settled(false));

    assertThat(running.handled).containsExactly("A");
    assertThat(running.messages.problems()).isEmpty();
  }

  @Test
  void after_three_calls_the_outcome_remains_unknown() {
    running.store.commitErrors.add(unknown);
    running.store.commitErrors.add(unknown);
    running.store.commitErrors.add(unknown);

    assertThatThrownBy(this::complete).isSameAs(unknown);

    assertThat(running.store.calls).hasSize(3);
    assertThat(running.messages.problems()).containsExactly(Problem.Kind.STORE);
  }

  @Test
  void contention_with_other_transactions_is_no_problem_of_the_store() {
    running.store.commitErrors.add(new StoreContentionException("deadlock", cause));

    assertThatThrownBy(this::complete).isInstanceOf(StoreContentionException.class);

    assertThat(running.store.calls).hasSize(1);
    assertThat(running.messages.problems()).isEmpty();
  }

  @Test
  void an_error_of_the_handler_is_not_one_of_the_store() {
    running.errors.put("A", cause);

    assertThatThrownBy(this::complete)
        .isInstanceOfSatisfying(
            HandlerFailure.class, it -> assertThat(it.reason()).isSameAs(cause));
    assertThat(running.messages.problems()).isEmpty();
  }

  @Test
  void a_transaction_that_was_rolled_back_is_not_repeated() {
    running.store.commitErrors.add(new StoreException("connection lost"));

    assertThatThrownBy(this::complete).isInstanceOf(StoreException.class);

    assertThat(running.store.calls).hasSize(1);
    assertThat(running.store.effects).isEmpty();
  }
}
