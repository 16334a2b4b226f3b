package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class SubmissionsTest {

  private final TestMessages messages = new TestMessages();
  private final Submissions<String> submissions = messages.submissions;

  @Test
  void the_age_is_that_of_the_oldest_submission_in_flight() {
    assertThat(submissions.oldest()).isEmpty();
    InFlightMessage<String> first = messages.message("A");
    messages.threads.advance(Duration.ofSeconds(5));
    InFlightMessage<String> second = messages.message("B");
    messages.threads.advance(Duration.ofSeconds(2));
    assertThat(submissions.oldest()).hasValue(Duration.ofSeconds(7));

    messages.outcomes.finish(first, new Outcome.Executed(7, 1));

    assertThat(submissions.oldest()).hasValue(Duration.ofSeconds(2));
    assertThat(submissions.items()).containsExactly(second);
  }

  @Test
  void no_submission_is_taken_once_it_is_closed() {
    ActiveSubmission<String> open = messages.message("A").batch;
    List<String> started = new ArrayList<>();

    assertThat(submissions.close()).containsExactly(open);

    ActiveSubmission<String> late =
        new ActiveSubmission<>(messages.outcomes, (index, outcome) -> {}, 1, messages.threads);
    assertThat(submissions.take(late, () -> started.add("late"))).isFalse();
    assertThat(started).isEmpty();
  }

  @Test
  void the_drain_of_an_abandoned_submission_began_when_it_was_abandoned() {
    ActiveSubmission<String> submission = messages.claimed("A", TestMessages.FIRST).batch;
    submission.items().get(0).start();
    submission.abandon();
    messages.threads.advance(Duration.ofDays(1));

    assertThat(submissions.await(submissions.close(), Duration.ofHours(1)))
        .as("interrupted, after no wait")
        .isFalse();
    assertThat(submission.over()).isFalse();
  }
}
