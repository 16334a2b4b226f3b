package io.hapax.internal.run;

import static io.hapax.internal.message.TestMessages.IN_DOUBT;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.OutcomeProbe;
import io.hapax.OutcomeProbe.Answer;
import io.hapax.ProbeSettings;
import io.hapax.UnknownOutcomePolicy.Probe;
import io.hapax.health.Problem;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.settle.TestSettling;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProbesTest {

  private final TestSettling parts = new TestSettling(new TestSettings());
  private final TestMessages messages = parts.messages;
  private final InFlightMessage<String> a = messages.claimed("A", IN_DOUBT);
  private final InFlightMessage<String> b = messages.claimed("B", IN_DOUBT);
  private final List<String> asked = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();

  /** Returns probes of which one may run at a time. */
  private Probes<String> probes(OutcomeProbe<String> probe) {
    OutcomeProbe<String> recorded = delivery -> {
      asked.add(delivery.message());
      return probe.ask(delivery);
    };
    return new Probes<>(
        new Probe<>(recorded, ProbeSettings.DEFAULT),
        1,
        messages.threads.threads(),
        messages.tasks,
        parts.calls,
        messages.events);
  }

  private void ask(Probes<String> probes, InFlightMessage<String> message) {
    probes.ask(message, message.acquired().orElseThrow(), answers::add);
  }

  private Answer hang() {
    messages.threads.advance(ProbeSettings.DEFAULT.timeout());
    return Answer.APPLIED;
  }

  @Test
  void a_probe_that_fails_does_not_know_and_is_a_problem() {
    ask(
        probes(delivery -> {
          throw new IllegalStateException("no connection");
        }),
        a);
    messages.threads.run();

    assertThat(answers)
        .containsExactly(
            Answer.unknown("the probe failed: java.lang.IllegalStateException: no connection"));
    assertThat(messages.problems()).containsExactly(Problem.Kind.PROBE);

    ask(probes(delivery -> Answer.NOT_APPLIED), b);
    messages.threads.run();
    assertThat(messages.problems()).isEmpty();
  }

  @Test
  void a_probe_that_exceeds_its_timeout_does_not_know() {
    ask(probes(delivery -> hang()), a);
    messages.threads.run();

    assertThat(answers).containsExactly(Answer.unknown("the probe did not answer within PT5S"));
  }

  @Test
  void a_waiting_probe_is_called_when_the_one_before_it_has_ended() {
    Probes<String> probes = probes(delivery -> Answer.APPLIED);
    ask(probes, a);
    ask(probes, b);
    messages.threads.run();

    assertThat(asked).containsExactly("A", "B");
    assertThat(answers).containsExactly(Answer.APPLIED, Answer.APPLIED);
  }

  @Test
  void no_message_waits_while_all_probes_hang() {
    Probes<String> probes = probes(delivery -> hang());
    ask(probes, a);
    ask(probes, b);
    messages.threads.run();

    assertThat(asked).containsExactly("A");
    assertThat(answers)
        .contains(Answer.unknown("all probes that may run at once are hanging"))
        .hasSize(2);
  }

  @Test
  void a_message_that_was_given_up_is_not_probed() {
    Probes<String> probes = probes(delivery -> Answer.APPLIED);
    ask(probes, a);
    messages.outcomes.giveUp(List.of(a), Deferrals.ABANDONED);
    messages.threads.run();

    assertThat(asked).isEmpty();
    assertThat(answers).containsExactly(Answer.unknown("no answer"));
    assertThat(messages.problems()).isEmpty();
  }
}
