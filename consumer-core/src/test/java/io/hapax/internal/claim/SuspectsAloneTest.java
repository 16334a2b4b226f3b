package io.hapax.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.health.Problem;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.Attempt;
import io.hapax.mark.ClaimAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuspectsAloneTest {

  private static final Attempt LOST_SHARED = new Attempt(1, false, true, false);
  private static final Attempt LOST_ALONE = new Attempt(1, true, true, false);

  private final TestMessages messages = new TestMessages();
  private final Suspects<String> suspects = new Suspects<>(
      new TestSettings().build(), messages.threads.threads(), messages.tasks, messages.events);
  private final List<String> inside = new ArrayList<>();

  private InFlightMessage<String> suspect(String text, Attempt lost) {
    InFlightMessage<String> message = messages.message(text);
    var unused = message.answered(new ClaimAnswer.Suspect(lost), 0);
    return message;
  }

  private boolean enter(InFlightMessage<String> message) {
    return suspects.enter(message, () -> inside.add(message.incoming.message()));
  }

  @Test
  void suspects_of_a_shared_claim_run_together_up_to_twice_the_workers() {
    for (String id : List.of("A", "B", "C", "D")) {
      assertThat(enter(suspect(id, LOST_SHARED))).isTrue();
    }

    assertThat(enter(suspect("E", LOST_SHARED))).isFalse();
  }

  @Test
  void a_message_that_was_lost_alone_runs_while_no_other_suspect_does() {
    InFlightMessage<String> shared = suspect("A", LOST_SHARED);
    assertThat(enter(shared)).isTrue();
    assertThat(enter(suspect("B", LOST_ALONE))).isFalse();

    suspects.leave(shared);

    assertThat(inside).containsExactly("B");
  }

  @Test
  void a_suspect_that_stays_too_long_makes_room_and_is_a_problem() {
    InFlightMessage<String> alone = suspect("A", LOST_ALONE);
    assertThat(enter(alone)).isTrue();
    assertThat(enter(suspect("B", LOST_SHARED))).isFalse();

    messages.threads.advance(Duration.ofSeconds(30));

    assertThat(inside).containsExactly("B");
    assertThat(messages.problems()).containsExactly(Problem.Kind.SUSPECT);
    suspects.leave(alone);
    assertThat(messages.problems()).isEmpty();
  }
}
