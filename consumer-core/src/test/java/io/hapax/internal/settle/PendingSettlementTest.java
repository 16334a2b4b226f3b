package io.hapax.internal.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.Verdict;
import org.junit.jupiter.api.Test;

class PendingSettlementTest {

  private final TestSettling parts = new TestSettling(new TestSettings());
  private final InFlightMessage<String> message = parts.claim("A");

  @Test
  void only_a_first_call_that_writes_proves_that_the_store_writes() {
    PendingSettlement<String> done =
        new PendingSettlement<>(message, Verdict.Done.WITHOUT_RESULT, new Outcome.Executed(7, 1));

    assertThat(done.writes()).isTrue();
    assertThat(done.failed(parts.outage, 0).writes())
        .as("it may have been executed")
        .isFalse();
  }

  @Test
  void a_release_proves_nothing_because_it_may_find_no_mark() {
    assertThat(
            new PendingSettlement<>(message, new Verdict.Release(), Deferrals.ABANDONED).writes())
        .isFalse();
  }
}
