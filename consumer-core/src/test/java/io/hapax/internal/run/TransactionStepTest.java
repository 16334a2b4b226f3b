package io.hapax.internal.run;

import static io.hapax.internal.message.TestMessages.deferral;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.Mark;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TransactionStepTest {

  private final TestRunning running = new TestRunning(new TestSettings());
  private final ClaimedMessage<String> message = running.started("A");

  private Optional<Deferred> run() {
    StepResult result = running.transactionStep().run(List.of(message));
    running.threads.run();
    return result.stop();
  }

  private Mark mark() {
    return running.store.find(List.of(message.item().requiredKey())).get(0).orElseThrow();
  }

  @Test
  void a_message_is_executed_when_its_effect_is_committed() {
    assertThat(run()).isEmpty();

    assertThat(message.item().outcome())
        .hasValue(new Outcome.Executed(message.acquired().claim().token(), 1));
    assertThat(running.store.effects).containsExactly("A");
  }

  @Test
  void a_message_that_another_owner_took_over_has_no_effect() {
    running.threads.advance(TestMessages.LEASE);
    var unused = running.settling.claim("A");

    assertThat(run()).hasValue(Deferrals.FENCED);

    assertThat(running.handled).isEmpty();
  }

  @Test
  void a_failed_message_is_not_in_doubt() {
    running.errors.put("A", new IllegalStateException());

    assertThat(run()).hasValue(deferral(message.item()));

    assertThat(deferral(message.item()).reason()).isEqualTo(Reason.RETRY);
    assertThat(mark().claim().attempt().inDoubt()).isFalse();
  }

  @Test
  void contention_with_other_transactions_releases_the_claim() {
    assertReleased(
        new StoreContentionException("deadlock", new IllegalStateException()), Reason.BUSY);
  }

  @Test
  void a_store_that_does_not_answer_releases_the_claim() {
    assertReleased(new StoreException("connection lost"), Reason.STORE_UNAVAILABLE);
  }

  private void assertReleased(RuntimeException error, Reason reason) {
    running.store.commitErrors.add(error);

    assertThat(run()).map(Deferred::reason).hasValue(reason);

    assertThat(mark().claim().attempt().number()).isEqualTo(0);
  }
}
