package io.hapax.internal.run;

import static io.hapax.internal.message.TestMessages.FIRST;
import static io.hapax.internal.message.TestMessages.deferral;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchResultsTest {

  private static final ClaimAnswer BUSY = new ClaimAnswer.Busy(Duration.ofSeconds(9));
  private static final ClaimAnswer DONE = new ClaimAnswer.Done(Bytes.EMPTY, Instant.EPOCH, false);

  private final TestRunning running = new TestRunning(new TestSettings());
  private final BatchResults<String> results = running.results();
  private final List<InFlightMessage<String>> items = running.claims.read("A", "B");
  private final InFlightMessage<String> a = items.get(0);
  private final InFlightMessage<String> b = items.get(1);

  private static ClaimAnswer acquired(InFlightMessage<String> message) {
    return TestMessages.acquired(message, FIRST);
  }

  @Test
  void committed_messages_were_executed_and_others_end_by_their_mark() {
    results.committed(results.plan(items, List.of(DONE, acquired(b))));

    assertThat(a.outcome()).hasValue(new Outcome.Duplicate());
    assertThat(b.outcome()).hasValue(new Outcome.Executed(7, 1));
    assertThat(running.messages.events.sinceSettled()).isPresent();
  }

  @Test
  void a_message_behind_a_busy_one_is_deferred_as_long_as_that() {
    results.finishThoseThatDidNotRun(results.plan(items, List.of(BUSY, acquired(b))));

    assertThat(deferral(a).reason()).isEqualTo(Reason.BUSY);
    assertThat(deferral(b))
        .isEqualTo(new Outcome.Deferred(Reason.BLOCKED, Duration.ofSeconds(9), ""));
  }

  @Test
  void a_commit_without_a_message_that_ran_is_no_progress() {
    results.committed(results.plan(items, List.of(DONE, DONE)));

    assertThat(running.messages.events.sinceSettled()).isEmpty();
  }

  @Test
  void a_message_without_attempts_left_is_claimed_and_settled_by_itself() {
    Attempt fourth = new Attempt(4, false, true, false);

    results.finishThoseThatDidNotRun(
        results.plan(items, List.of(TestMessages.acquired(a, fourth), acquired(b))));

    assertThat(running.store.calls).containsExactly("claim 1", "settle 1");
    assertThat(deferral(b).reason()).isEqualTo(Reason.BLOCKED);
  }
}
