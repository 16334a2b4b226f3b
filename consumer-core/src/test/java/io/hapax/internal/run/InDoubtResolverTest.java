package io.hapax.internal.run;

import static io.hapax.internal.message.TestMessages.FIRST;
import static io.hapax.internal.message.TestMessages.IN_DOUBT;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.OutcomeProbe.Answer;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.adapter.Outcome;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.settle.Failures.Decision;
import io.hapax.internal.settle.TestSettling;
import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InDoubtResolverTest {

  private final TestSettings settings = new TestSettings();
  private final List<DeadLetter<String>> buried = new ArrayList<>();

  private Optional<Decision> decide(UnknownOutcomePolicy<String> policy, Attempt attempt) {
    settings.onUnknownOutcome = policy;
    settings.deadLetters = Optional.of(buried::add);
    TestSettling parts = new TestSettling(settings);
    TestMessages messages = parts.messages;
    Optional<Probes<String>> probes = policy instanceof UnknownOutcomePolicy.Probe<String> probe
        ? Optional.of(new Probes<>(
            probe, 1, messages.threads.threads(), messages.tasks, parts.calls, messages.events))
        : Optional.empty();
    InDoubtResolver<String> resolver = new InDoubtResolver<>(
        policy, probes, parts.failures, parts.results, messages.tasks, messages.threads);
    InFlightMessage<String> message = messages.claimed("A", attempt);
    Acquired acquired = message.acquired().orElseThrow();
    if (resolver.open(message)) {
      resolver.ask(message, () -> {});
      messages.threads.advance(Duration.ofMinutes(5));
    }
    assertThat(resolver.open(message)).isFalse();
    return resolver.decide(message, acquired);
  }

  private Optional<Decision> probe(Answer answer) {
    return decide(UnknownOutcomePolicy.probe(delivery -> answer), IN_DOUBT);
  }

  @Test
  void a_message_in_doubt_runs_again_by_default() {
    assertThat(decide(UnknownOutcomePolicy.rerun(), IN_DOUBT)).isEmpty();
  }

  @Test
  void a_message_in_doubt_is_dead_lettered_by_policy() {
    Decision decision = decide(UnknownOutcomePolicy.deadLetter(), IN_DOUBT).orElseThrow();

    assertThat(decision.verdict()).isInstanceOf(Verdict.Dead.class);
    assertThat(buried).extracting(DeadLetter::kind).containsExactly(DeadLetter.Kind.IN_DOUBT);
  }

  @Test
  void a_message_that_is_not_in_doubt_runs_under_every_policy() {
    assertThat(decide(UnknownOutcomePolicy.deadLetter(), FIRST)).isEmpty();
    assertThat(decide(UnknownOutcomePolicy.probe(it -> Answer.unknown("?")), FIRST))
        .isEmpty();
  }

  @Test
  void a_probe_that_finds_the_effect_completes_the_message_with_its_result() {
    Bytes result = Bytes.utf8("result");

    assertThat(probe(Answer.applied(result)))
        .hasValue(new Decision(new Verdict.Done(result), new Outcome.Duplicate(result)));
  }

  @Test
  void a_probe_that_does_not_know_defers_the_message_in_doubt() {
    assertThat(probe(Answer.unknown("no answer")).map(Decision::verdict))
        .hasValue(new Verdict.Retry(Duration.ofMinutes(2), true));
  }

  @Test
  void a_message_runs_if_there_is_no_effect_after_the_quiet_period() {
    List<String> calls = new ArrayList<>();

    assertThat(decide(
            UnknownOutcomePolicy.probe(delivery -> {
              calls.add("asked");
              return new Answer.NotApplied();
            }),
            IN_DOUBT))
        .isEmpty();
    assertThat(calls).hasSize(2);
  }
}
