package io.hapax.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.store.TestStore;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClaimSenderTest {

  private final TestClaims claims = new TestClaims(new TestSettings());
  private final TestStore store = claims.settling.store;
  private final ClaimSender<String> sender =
      new ClaimSender<>(claims.answers, claims.threads.env());
  private final ClaimAttempt.Parts<String> parts = new ClaimAttempt.Parts<>(
      sender,
      claims.generation,
      claims.settling.messages.outcomes,
      claims.settling.messages.tasks,
      claims.threads.env());
  private final Claimer<String> claimer = new Claimer<>(claims.requests, parts);

  @BeforeEach
  void knowTheStoresTime() {
    claims.clock.learn(TestStore.START, claims.threads.nanos());
  }

  /** Submits messages, whose claims wait until the threads run. */
  private List<InFlightMessage<String>> submit(String name, int count) {
    List<InFlightMessage<String>> messages =
        claims.read(IntStream.range(0, count).mapToObj(i -> name + i).toArray(String[]::new));
    claimer.claimElsewhere(messages, () -> {});
    return messages;
  }

  @Test
  void attempts_that_wait_go_together_with_the_next_call() {
    var a = submit("A", 2);
    var b = submit("B", 1);
    var c = submit("C", 3);

    claims.threads.run();

    assertThat(store.calls).containsExactly("claim 6");
    assertThat(List.of(a, b, c))
        .allSatisfy(it -> assertThat(it).allMatch(message -> message.acquired().isPresent()));
  }

  @Test
  void a_call_has_at_most_500_claims_unless_they_are_of_one_attempt() {
    var a = submit("A", 300);
    var b = submit("B", 200);
    var c = submit("C", 600);
    var d = submit("D", 1);

    claims.threads.run();

    assertThat(store.calls).containsExactly("claim 500", "claim 600", "claim 1");
    assertThat(List.of(a, b, c, d))
        .allSatisfy(it -> assertThat(it).allMatch(message -> message.acquired().isPresent()));
  }

  @Test
  void an_attempt_that_has_failed_is_sent_alone_from_then_on() {
    List<InFlightMessage<String>> messages = claims.read("A", "B");
    messages.forEach(it -> it.ask(claims.requests.of(it, false)));
    ClaimAttempt<String> attempt = new ClaimAttempt<>(parts, messages, () -> {});
    store.down = true;
    sender.send(attempt);
    store.down = false;
    var first = submit("C", 1);
    var second = submit("D", 2);

    sender.send(attempt);
    claims.threads.run();

    assertThat(store.calls).containsExactly("claim 2", "claim 2", "claim 3");
    assertThat(List.of(messages, first, second))
        .allSatisfy(it -> assertThat(it).allMatch(message -> message.acquired().isPresent()));
  }
}
