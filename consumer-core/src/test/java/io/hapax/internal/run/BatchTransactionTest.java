package io.hapax.internal.run;

import static io.hapax.internal.message.TestMessages.deferral;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchTransactionTest {

  private final TestRunning running = new TestRunning(new TestSettings());

  private final BatchTransaction<String, List<String>> batches = running.batches();

  private List<InFlightMessage<String>> run(String... texts) {
    List<InFlightMessage<String>> items = running.claims.read(texts);
    batches.run(items);
    running.threads.advance(Duration.ofSeconds(1));
    return items;
  }

  @Test
  void all_messages_of_a_submission_commit_together() {
    List<InFlightMessage<String>> items = run("A", "B");

    assertThat(running.store.calls).containsExactly("findDone 2", "runOnce 2");
    assertThat(running.store.effects).containsExactly("A", "B");
    assertThat(items)
        .allSatisfy(it -> assertThat(it.outcome()).get().isInstanceOf(Outcome.Executed.class));
  }

  @Test
  void after_a_failure_the_messages_run_one_by_one() {
    running.errors.put("B", new IllegalStateException());

    List<InFlightMessage<String>> items = run("A", "B", "C");

    assertThat(running.store.effects).containsExactly("A");
    assertThat(running.handled).containsExactly("A", "B", "A", "B");
    assertThat(deferral(items.get(1)).reason()).isEqualTo(Reason.RETRY);
    assertThat(deferral(items.get(2)).reason()).isEqualTo(Reason.BLOCKED);
  }

  @Test
  void after_contention_each_half_has_a_transaction_of_its_own() {
    running.store.commitErrors.add(
        new StoreContentionException("deadlock", new IllegalStateException()));

    var unused = run("A", "B");

    assertThat(running.store.calls)
        .containsExactly("findDone 2", "runOnce 2", "runOnce 1", "runOnce 1");
    assertThat(running.store.effects).containsExactly("A", "B");
  }

  @Test
  void a_message_behind_a_busy_one_is_not_committed() {
    var unused = running.settling.claim("A");

    List<InFlightMessage<String>> items = run("A", "B");

    assertThat(deferral(items.get(0)).reason()).isEqualTo(Reason.BUSY);
    assertThat(deferral(items.get(1)).reason()).isEqualTo(Reason.BLOCKED);
    assertThat(running.store.effects).isEmpty();
  }

  @Test
  void a_commit_whose_reply_was_lost_is_found_by_the_same_request() {
    running.store.commitErrors.add(
        new CommitUnknownException("connection lost", new IllegalStateException()));

    List<InFlightMessage<String>> items = run("A");

    assertThat(items.get(0).outcome()).hasValue(Outcome.Executed.FOUND_BY_RESENDING);
    assertThat(running.store.effects).containsExactly("A");
  }

  @Test
  void known_messages_open_no_transaction_and_call_no_handler() {
    var executed = run("A", "B");
    running.store.calls.clear();
    running.handled.clear();

    var behindTheSwitch = run("A", "B");
    List<InFlightMessage<String>> known = run("A", "B");

    assertThat(running.store.calls).containsExactly("runOnce 2", "findDone 2");
    assertThat(running.handled).isEmpty();
    assertThat(known)
        .allSatisfy(it -> assertThat(it.outcome()).get().isInstanceOf(Outcome.Duplicate.class));
    assertThat(known)
        .allSatisfy(it -> assertThat(running.messages.ids.heldBy(it)).isFalse());
    assertThat(executed).hasSameSizeAs(behindTheSwitch);
  }

  @Test
  void only_the_unknown_messages_of_a_submission_are_in_its_transaction() {
    running.store.settleDone(running.messages.read("A", "C"));

    List<InFlightMessage<String>> items = run("A", "B", "C");

    assertThat(running.store.calls).containsExactly("findDone 3", "runOnce 1");
    assertThat(running.store.effects).containsExactly("B");
    assertThat(items)
        .extracting(it -> it.outcome().orElseThrow().getClass().getSimpleName())
        .containsExactly("Duplicate", "Executed", "Duplicate");
  }
}
