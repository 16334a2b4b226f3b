package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.internal.runtime.CallerQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class ActiveSubmissionTest {

  private static final Outcome EXECUTED = new Outcome.Executed(7, 1);

  private final TestMessages messages = new TestMessages();
  private final List<InFlightMessage<String>> items = messages.read("A", "B");
  private final ActiveSubmission<String> submission = items.get(0).batch;
  private final List<String> events = new ArrayList<>();

  @Test
  void actions_run_after_the_last_outcome() {
    submission.whenOver(() -> events.add("over"));

    messages.outcomes.finish(items.get(0), EXECUTED);
    assertThat(events).isEmpty();
    messages.outcomes.finish(items.get(1), EXECUTED);
    assertThat(events).containsExactly("over");
    submission.whenOver(() -> events.add("late"));

    assertThat(events).containsExactly("over", "late");
    assertThat(submission.broken()).isFalse();
  }

  @Test
  void abandoning_gives_up_the_messages_that_have_not_started() {
    items.get(0).start();
    submission.whenAbandoned(() -> items.get(1).outcome().ifPresent(it -> events.add("given up")));

    submission.abandon();

    assertThat(items.get(0).unfinished()).isTrue();
    assertThat(events).containsExactly("given up");
  }

  @Test
  void a_caller_whose_patience_ends_gives_up_and_waits_for_the_rest() throws Exception {
    submission.awaitOrAbandon(Duration.ZERO);

    assertThat(submission.over()).isTrue();
    assertThat(items).allMatch(it -> it.outcome().orElseThrow().equals(Deferrals.ABANDONED));
  }

  @Test
  void an_unexpected_exception_breaks_its_submission() {
    messages.outcomes.finish(items.get(0), Deferrals.broken(new IllegalStateException()));

    assertThat(submission.broken()).isTrue();
  }

  @Test
  void an_interrupt_of_the_thread_that_runs_its_messages_abandons_it() {
    CallerQueue queue = new CallerQueue(messages.threads);
    ActiveSubmission<String> own = new ActiveSubmission<>(
        messages.outcomes,
        (index, outcome) -> {},
        1,
        messages.threads,
        Optional.empty(),
        Optional.of(queue));
    assertThat(own.abandoned()).isFalse();

    queue.recordInterrupt();

    assertThat(own.abandoned()).isTrue();
  }
}
