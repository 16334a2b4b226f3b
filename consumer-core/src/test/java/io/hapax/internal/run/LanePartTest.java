package io.hapax.internal.run;

import static io.hapax.internal.message.TestMessages.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLane;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.settle.TestSettling;
import io.hapax.mark.ClaimAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LanePartTest {

  private final TestSettling settling = new TestSettling(new TestSettings());
  private final TestMessages messages = settling.messages;
  private final OpenLane lane = new OpenLane();
  private final List<String> events = new ArrayList<>();

  private final class Named extends LanePart<String> {

    private final String name;

    Named(String name, List<InFlightMessage<String>> items) {
      super(
          lane,
          items,
          messages.outcomes,
          messages.tasks,
          () -> events.add(name + " waits for its claims"));
      this.name = name;
    }

    @Override
    void queue() {
      events.add(name + " runs");
    }
  }

  private Named append(String name, List<InFlightMessage<String>> items) {
    Named part = new Named(name, items);
    lane.append(part);
    return part;
  }

  private InFlightMessage<String> asking(String text) {
    InFlightMessage<String> message = messages.message(text);
    message.ask(settling.request(message));
    return message;
  }

  @Test
  void a_part_runs_once_its_claims_are_answered_at_its_turn() {
    InFlightMessage<String> message = asking("A");
    Named a = append("a", List.of(message));
    Named b = append("b", List.of(messages.claimed("B", FIRST)));

    b.openOnceAnswered();
    a.openOnceAnswered();
    assertThat(events).containsExactly("a waits for its claims");
    var unused = message.answered(TestMessages.acquired(message, FIRST), 0);
    a.openOnceAnswered();
    a.openOnceAnswered();
    assertThat(events).containsExactly("a waits for its claims", "a runs");
    a.passForSure();

    assertThat(events).containsExactly("a waits for its claims", "a runs", "b runs");
  }

  @Test
  void messages_behind_a_busy_one_are_given_up_before_its_turn() {
    append("a", List.of(asking("A")));
    List<InFlightMessage<String>> items = messages.read("B", "C");
    var unused = items.get(0).answered(new ClaimAnswer.Busy(Duration.ofSeconds(9)), 0);
    Named b = append("b", items);
    InFlightMessage<String> last = messages.message("D");
    append("c", List.of(last));

    b.openOnceAnswered();

    assertThat(items.get(0).unfinished()).isTrue();
    assertThat(List.of(items.get(1), last))
        .allMatch(it -> TestMessages.deferral(it).reason() == Reason.BLOCKED);
  }

  @Test
  void a_part_passes_when_its_submission_has_ended() {
    InFlightMessage<String> message = asking("A");
    Named a = append("a", List.of(message));
    append("b", List.of(messages.claimed("B", FIRST))).openOnceAnswered();

    a.givenUpOrOver();
    assertThat(events).doesNotContain("b runs");
    messages.outcomes.finish(message, new Outcome.Duplicate());
    a.givenUpOrOver();

    assertThat(events).contains("b runs");
  }
}
