package io.hapax.internal.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettlerTest {

  private static final Outcome DONE = new Outcome.Executed(7, 1);

  private final TestSettling parts = new TestSettling(new TestSettings());

  private void settle(InFlightMessage<String> message) {
    parts.settler.settle(message, Verdict.Done.WITHOUT_RESULT, DONE);
  }

  private Optional<MarkState> state(InFlightMessage<String> message) {
    return parts.store.find(List.of(message.requiredKey())).get(0).map(Mark::state);
  }

  @Test
  void a_message_finishes_after_the_store_has_settled_its_claim() {
    InFlightMessage<String> message = parts.claim("A");
    settle(message);
    assertThat(message.unfinished()).isTrue();

    parts.messages.threads.run();

    assertThat(message.outcome()).hasValue(DONE);
    assertThat(state(message)).hasValue(MarkState.DONE);
  }

  @Test
  void settlements_that_arrive_during_a_call_go_with_the_next_group() {
    List<InFlightMessage<String>> messages =
        List.of(parts.claim("A"), parts.claim("B"), parts.claim("C"));
    messages.forEach(this::settle);

    parts.messages.threads.run();

    assertThat(parts.store.calls).containsExactly("settle 3");
  }

  @Test
  void a_failed_settlement_is_repeated_and_its_message_waits() {
    InFlightMessage<String> message = parts.claim("A");
    parts.store.down = true;
    settle(message);
    parts.messages.threads.advance(Duration.ofSeconds(1));
    assertThat(message.unfinished()).isTrue();

    parts.store.down = false;
    parts.messages.threads.advance(Duration.ofSeconds(1));

    assertThat(message.outcome()).hasValue(DONE);
  }

  @Test
  void a_group_that_fails_five_times_is_halved() {
    InFlightMessage<String> first = parts.claim("A");
    InFlightMessage<String> second = parts.claim("B");
    parts.store.down = true;
    settle(first);
    settle(second);

    parts.messages.threads.advance(Duration.ofSeconds(5));

    assertThat(parts.store.calls).filteredOn(it -> it.equals("settle 2")).hasSize(5);
    assertThat(parts.store.calls).contains("settle 1");
  }

  @Test
  void a_message_whose_claim_was_taken_over_is_not_acknowledged() {
    InFlightMessage<String> message = parts.claim("A");
    parts.messages.threads.advance(Duration.ofSeconds(31));
    var unused = parts.claim("A");

    settle(message);
    parts.messages.threads.run();

    assertThat(message.outcome()).hasValue(Deferrals.FENCED);
    assertThat(message.lease.renewable()).isFalse();
  }
}
