package io.hapax.operations.redrive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.mark.Bytes;
import io.hapax.mark.MarkState;
import io.hapax.mark.Verdict;
import io.hapax.operations.MarkFixture;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tools read again from a store that does not answer for a moment. */
class PatientToolsTest extends MarkFixture {

  private final AtomicInteger callsToLose = new AtomicInteger();
  private RuntimeException failure = new StoreException("the call was lost");
  private final DedupStore faulty = observed((verb, arguments) -> {
    if (callsToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw failure;
    }
    return verb.invoke(store, arguments);
  });
  private final StoredDeadLetter letter = StoredDeadLetter.of(
      "dead-0@1",
      0,
      DeadLetterMetadata.read(name -> Optional.empty()),
      "a",
      it -> Optional.of(Bytes.utf8(it)),
      Optional.empty());

  @Test
  void a_redrive_outlives_a_store_that_is_away_for_a_moment() {
    settle("a", new Verdict.Dead("no stock"));
    callsToLose.set(2);

    assertThat(RedriveTest.redrive(faulty, RedriveSettings.to("orders")).reopen(letter))
        .isEqualTo(new RedriveResult.Published());

    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
  }

  @Test
  void so_does_a_list_of_open_marks() {
    claim("a");
    callsToLose.set(2);

    assertThat(new MarkOperations(faulty, "orders").list(MarkQuery.Kind.LEASED, 10))
        .hasSize(1);
  }

  @Test
  void a_store_that_stays_away_ends_the_tool() {
    callsToLose.set(4);

    assertThatThrownBy(
            () -> RedriveTest.redrive(faulty, RedriveSettings.to("orders")).reopen(letter))
        .isInstanceOf(StoreException.class)
        .hasMessage("the call was lost");
  }

  @Test
  void an_error_that_a_failover_does_not_explain_ends_the_tool_at_once() {
    failure = new IllegalStateException("a bug");
    callsToLose.set(4);

    assertEndsAfterOneCall();
  }

  @Test
  void an_interrupt_ends_the_retries() {
    callsToLose.set(4);
    Thread.currentThread().interrupt();

    assertEndsAfterOneCall();

    assertThat(Thread.interrupted()).isTrue();
  }

  private void assertEndsAfterOneCall() {
    MarkOperations operations = new MarkOperations(faulty, "orders");

    assertThatThrownBy(() -> operations.list(MarkQuery.Kind.LEASED, 10)).isSameAs(failure);

    assertThat(callsToLose).hasValue(3);
  }
}
