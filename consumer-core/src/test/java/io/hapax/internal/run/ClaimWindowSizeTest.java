package io.hapax.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.internal.claim.Suspects;
import io.hapax.internal.claim.TestClaims;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.settle.TestSettling;
import io.hapax.internal.settle.UnacquiredClaims;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClaimWindowSizeTest {

  /** Leaves each message running until the test finishes it. */
  private static final class Running implements Step<String> {
    @Override
    public boolean takesMany() {
      return false;
    }

    @Override
    public StepResult run(List<ClaimedMessage<String>> messages) {
      return StepResult.over(Optional.empty());
    }
  }

  private final TestSettings settings = new TestSettings();
  private final TestClaims claims = new TestClaims(settings);
  private final TestSettling parts = claims.settling;
  private final TestMessages messages = parts.messages;
  private final Duration margin = Duration.ofSeconds(5);
  private final ClaimWindow<String> window = new ClaimWindow<>(
      2, lanes(), claims.claimer, messages.ids, messages.outcomes, messages.tasks);

  private Lanes<String> lanes() {
    InDoubtResolver<String> doubts = new InDoubtResolver<>(
        settings.onUnknownOutcome,
        Optional.empty(),
        parts.failures,
        parts.results,
        messages.tasks,
        messages.threads);
    MessageStart<String> start = new MessageStart<>(
        doubts,
        parts.failures,
        parts.unmarked,
        new UnacquiredClaims<>(messages.events, messages.outcomes, parts.conflicts),
        parts.settler,
        margin);
    return new Lanes<>(
        new Running(),
        new HandlerBatch<>(parts.ages, margin),
        start,
        claims.claimer,
        new Suspects<>(
            settings.build(), messages.threads.threads(), messages.tasks, messages.events),
        messages.outcomes,
        messages.tasks);
  }

  /** Runs a message in a lane of its own. */
  private InFlightMessage<String> run(String text) {
    InFlightMessage<String> message = claims.read(text).get(0);
    window.run(List.of(message));
    claims.threads.run();
    return message;
  }

  private static boolean claimed(InFlightMessage<String> message) {
    return message.acquired().isPresent();
  }

  private void finish(InFlightMessage<String> message, Outcome outcome) {
    messages.outcomes.finish(message, outcome);
    claims.threads.run();
  }

  @Test
  void no_more_messages_are_claimed_than_there_are_workers() {
    InFlightMessage<String> a = run("A");
    InFlightMessage<String> b = run("B");
    InFlightMessage<String> c = run("C");
    assertThat(claimed(a) && claimed(b)).isTrue();
    assertThat(claimed(c)).isFalse();

    finish(a, new Outcome.Executed(7, 1));

    assertThat(claimed(c)).isTrue();
  }

  @Test
  void a_message_that_is_being_probed_makes_room_for_another_one() {
    InFlightMessage<String> a = run("A");
    run("B");
    InFlightMessage<String> c = run("C");

    window.makeRoomFor(a);
    claims.threads.run();

    assertThat(claimed(c)).isTrue();
  }

  @Test
  void messages_of_one_lane_are_claimed_one_after_the_other() {
    List<InFlightMessage<String>> lane = claims.read("A", "B");
    window.run(lane);
    claims.threads.run();
    assertThat(lane).extracting(ClaimWindowSizeTest::claimed).containsExactly(true, false);

    finish(lane.get(0), new Outcome.Executed(7, 1));

    assertThat(claimed(lane.get(1))).isTrue();
  }

  @Test
  void no_message_is_claimed_behind_a_deferred_one() {
    List<InFlightMessage<String>> lane = claims.read("A", "B");
    window.run(lane);
    claims.threads.run();

    finish(lane.get(0), Deferrals.FENCED);

    assertThat(lane.get(1).outcome()).hasValue(Deferrals.behind(Duration.ZERO));
    assertThat(claimed(lane.get(1))).isFalse();
  }
}
