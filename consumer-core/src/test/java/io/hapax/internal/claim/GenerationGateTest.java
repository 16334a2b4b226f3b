package io.hapax.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.settle.TestSettling;
import io.hapax.internal.store.GenerationWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GenerationGateTest {

  private final TestSettings settings = new TestSettings();
  private final TestSettling parts = new TestSettling(settings);
  private final TestMessages messages = parts.messages;
  private final GenerationWatch generation = new GenerationWatch(
      parts.store,
      TestSettings.SCOPE,
      Duration.ofSeconds(10),
      messages.threads.env(),
      messages.events,
      parts.outage);
  private final List<String> begun = new ArrayList<>();

  private ActiveSubmission<String> submit(
      BiConsumer<ActiveSubmission<String>, List<InFlightMessage<String>>> next, String... texts) {
    GenerationGate<String> gate = new GenerationGate<>(
        generation, settings.reading(), messages.outcomes, messages.events, messages.tasks, next);
    List<Incoming<String>> incoming =
        Stream.of(texts).map(it -> TestMessages.incoming(it, "p0")).toList();
    ActiveSubmission<String> submission = new ActiveSubmission<>(
        messages.outcomes, (index, outcome) -> {}, texts.length, messages.threads);
    var unused = messages.submissions.take(submission, gate.of(submission, incoming));
    return submission;
  }

  private ActiveSubmission<String> submit(String... texts) {
    return submit(
        (submission, items) -> items.forEach(it -> begun.add(it.incoming.message())), texts);
  }

  private void readGeneration() {
    generation.start();
    messages.threads.run();
  }

  @Test
  void a_submission_begins_at_once_under_a_generation_that_was_read() {
    readGeneration();

    var unused = submit("A", "B");

    assertThat(begun).containsExactly("A", "B");
  }

  @Test
  void a_submission_waits_until_the_generation_is_read() {
    var unused = submit("A", "B");
    assertThat(begun).isEmpty();

    readGeneration();

    assertThat(begun).containsExactly("A", "B");
  }

  @Test
  void a_message_that_was_given_up_meanwhile_does_not_begin() {
    ActiveSubmission<String> submission = submit("A", "B");
    InFlightMessage<String> first = submission.items().get(0);
    messages.outcomes.giveUp(List.of(first), Deferrals.ABANDONED);

    readGeneration();

    assertThat(begun).containsExactly("B");
    assertThat(first.outcome()).hasValue(Deferrals.ABANDONED);
  }

  @Test
  void an_unexpected_exception_defers_the_messages() {
    ActiveSubmission<String> submission = submit(
        (any, items) -> {
          any.items(items);
          throw new IllegalStateException("unexpected");
        },
        "A");

    readGeneration();

    assertThat(submission.over()).isTrue();
    assertThat(TestMessages.deferral(submission.items().get(0)).reason())
        .isEqualTo(Reason.INTERNAL_ERROR);
  }
}
