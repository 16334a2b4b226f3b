package io.hapax.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLanes;
import io.hapax.internal.message.SubmissionOrder;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.TestSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SubmissionStartTest {

  private final TestMessages messages = new TestMessages();
  private final List<InFlightMessage<String>> run = new ArrayList<>();
  private final SubmissionStart<String> start = new SubmissionStart<>(
      messages.blocked,
      messages.ids,
      messages.outcomes,
      messages.tasks,
      run::addAll);

  private void begin(List<InFlightMessage<String>> items) {
    start.begin(items.get(0).batch, items);
  }

  @Test
  void a_message_is_busy_while_the_handler_still_runs_for_its_id() {
    InFlightMessage<String> first = messages.message("A");
    begin(List.of(first));
    first.beginHandling();
    messages.outcomes.finish(first, Deferrals.FENCED);
    InFlightMessage<String> again = messages.message("A");

    begin(List.of(again));

    assertThat(TestMessages.deferral(again).reason()).isEqualTo(Reason.BUSY);
    assertThat(messages.ids.heldBy(first)).isTrue();
  }

  @Test
  void an_abandoned_submission_is_given_up_and_keeps_no_id() {
    InFlightMessage<String> message = messages.message("A");
    message.batch.items(List.of());
    message.batch.abandon();

    begin(List.of(message));

    assertThat(message.outcome()).hasValue(Deferrals.ABANDONED);
    assertThat(messages.ids.heldBy(message)).isFalse();
  }

  @Test
  void submissions_to_open_lanes_begin_in_their_order() {
    List<InFlightMessage<String>> first = positioned("A");
    List<InFlightMessage<String>> second = positioned("B");

    begin(second);
    assertThat(run).isEmpty();
    begin(first);

    assertThat(run).containsExactly(first.get(0), second.get(0));
  }

  private List<InFlightMessage<String>> positioned(String text) {
    SubmissionOrder.Place place = new SubmissionOrder.Place();
    start.order().add(place);
    ActiveSubmission.Position position =
        new ActiveSubmission.Position(new OpenLanes(), Set.of("p0"), place);
    return messages.read(
        new TestSettings(), Optional.of(position), List.of(TestMessages.incoming(text, "p0")));
  }
}
