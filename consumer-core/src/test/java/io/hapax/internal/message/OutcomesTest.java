package io.hapax.internal.message;

import static io.hapax.internal.message.TestMessages.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.mark.Bytes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutcomesTest {

  private final TestMessages messages = new TestMessages();

  private InFlightMessage<String> register(String text) {
    InFlightMessage<String> message = messages.message(text);
    var unused = messages.ids.register(message.requiredKey(), message);
    return message;
  }

  private Outcome outcomeBehind(Outcome outcomeOfHolder) {
    InFlightMessage<String> holder = register("A=1");
    InFlightMessage<String> follower = register("A=1");
    messages.outcomes.finish(holder, outcomeOfHolder);
    return follower.outcome().orElseThrow();
  }

  @Test
  void a_follower_of_an_executed_message_is_its_duplicate_with_the_result() {
    Bytes result = Bytes.utf8("result");

    assertThat(outcomeBehind(new Outcome.Executed(7, 1, result)))
        .isEqualTo(new Outcome.Duplicate(result));
  }

  @Test
  void a_follower_of_a_deferred_message_waits_as_long() {
    Duration wait = Duration.ofSeconds(9);

    assertThat(outcomeBehind(new Deferred(Reason.RETRY, wait, "")))
        .isEqualTo(Deferrals.behind(wait));
  }

  @Test
  void a_follower_of_a_dead_message_is_deferred_without_a_wait() {
    assertThat(outcomeBehind(new Outcome.DeadLettered("")))
        .isEqualTo(Deferrals.behind(Duration.ZERO));
  }

  @Test
  void a_follower_with_another_payload_is_a_conflict() {
    InFlightMessage<String> holder = register("A=1");
    InFlightMessage<String> follower = register("A=2");

    messages.outcomes.finish(holder, new Outcome.Executed(7, 1));

    assertThat(messages.conflicts).containsExactly(follower);
    assertThat(follower.unfinished()).isTrue();
  }

  @Test
  void a_claim_is_given_back_before_its_message_that_was_given_up_finishes() {
    InFlightMessage<String> claimed = messages.claimed("A", FIRST);
    InFlightMessage<String> started = messages.claimed("B", FIRST);
    started.start();

    messages.outcomes.giveUp(List.of(claimed, started), Deferrals.ABANDONED);

    assertThat(messages.released).hasSize(1);
    assertThat(claimed.outcome()).hasValue(Deferrals.ABANDONED);
    assertThat(started.unfinished()).isTrue();
  }

  @Test
  void a_submission_ends_after_the_last_outcome() {
    List<InFlightMessage<String>> two = messages.read("A", "B");

    messages.outcomes.finish(two.get(0), new Outcome.Executed(7, 1));
    assertThat(messages.submissions.open()).containsExactly(two.get(0).batch);
    messages.outcomes.finish(two.get(1), new Outcome.Executed(7, 1));

    assertThat(messages.submissions.open()).isEmpty();
    assertThat(two.get(0).batch.over()).isTrue();
  }
}
