package io.hapax.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.generation.Generations;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DuplicateLookupTest {

  private static final ClaimAnswer DONE = new ClaimAnswer.Done(Bytes.EMPTY, Instant.EPOCH, false);
  private static final ClaimAnswer BUSY = new ClaimAnswer.Busy(Duration.ofSeconds(1));

  private final TestRunning running = new TestRunning(new TestSettings());
  private final DuplicateLookup<String> lookup = running.lookup();

  private List<InFlightMessage<String>> known(String... texts) {
    List<InFlightMessage<String>> messages = running.claims.read(texts);
    running.store.settleDone(messages);
    return messages;
  }

  private List<String> left(List<InFlightMessage<String>> messages) {
    return lookup.finishDone(messages).stream().map(it -> it.incoming.message()).toList();
  }

  @Test
  void a_message_that_is_done_is_finished_as_a_duplicate() {
    List<InFlightMessage<String>> messages = known("A");

    assertThat(left(messages)).isEmpty();

    assertThat(messages.get(0).outcome()).get().isInstanceOf(Outcome.Duplicate.class);
  }

  @Test
  void a_message_in_any_other_state_is_left_to_the_transaction() {
    var unused = running.settling.claim("processing");

    assertThat(left(running.claims.read("absent", "processing")))
        .containsExactly("absent", "processing");
  }

  @Test
  void fresh_messages_cost_no_further_look_up() {
    assertThat(left(running.claims.read("A", "B"))).hasSize(2);
    lookup.committed(List.of(BUSY, BUSY, DONE));
    running.store.calls.clear();

    assertThat(left(running.claims.read("C", "D"))).hasSize(2);

    assertThat(running.store.calls).isEmpty();
  }

  @Test
  void a_transaction_with_as_many_duplicates_as_others_starts_look_ups_again() {
    assertThat(left(running.claims.read("A"))).hasSize(1);

    lookup.committed(List.of(DONE, BUSY));

    assertThat(left(known("B"))).isEmpty();
  }

  @Test
  void a_transaction_of_others_behind_a_look_up_does_not_stop_look_ups() {
    assertThat(left(known("A"))).isEmpty();
    lookup.committed(List.of(BUSY, BUSY));

    assertThat(left(known("B"))).isEmpty();
  }

  @Test
  void a_look_up_that_fails_leaves_everything_to_the_transaction() {
    List<InFlightMessage<String>> messages = known("A");
    running.store.down = true;

    assertThat(left(messages)).containsExactly("A");
    assertThat(running.messages.events.storeAnswers()).isFalse();

    running.store.down = false;
    assertThat(left(messages)).containsExactly("A");
  }

  @Test
  void known_messages_show_that_the_store_answers_again() {
    running.messages.events.storeFailed("runOnce", new IllegalStateException());

    assertThat(left(known("A"))).isEmpty();

    assertThat(running.messages.events.storeAnswers()).isTrue();
  }

  @Test
  void unknown_messages_leave_that_to_their_transaction() {
    running.messages.events.storeFailed("runOnce", new IllegalStateException());
    List<InFlightMessage<String>> messages = known("A");
    messages.addAll(running.claims.read("B"));

    assertThat(left(messages)).containsExactly("B");

    assertThat(running.messages.events.storeAnswers()).isFalse();
  }

  @Test
  void a_message_that_was_given_up_meanwhile_is_not_finished_again() {
    List<InFlightMessage<String>> messages = known("A");
    running.messages.outcomes.giveUp(messages, Deferrals.ABANDONED);

    assertThat(left(messages)).isEmpty();

    assertThat(messages.get(0).outcome()).hasValue(Deferrals.ABANDONED);
  }

  @Test
  void nothing_is_looked_up_under_a_generation_that_was_not_read_lately() {
    List<InFlightMessage<String>> messages = known("A");
    running.store.down = true; // so that the generation cannot be read again
    running.threads.advance(Duration.ofHours(1));
    running.store.down = false;
    running.store.calls.clear();

    assertThat(left(messages)).containsExactly("A");

    assertThat(running.store.calls).isEmpty();
  }

  @Test
  void nothing_is_looked_up_after_the_generation_has_moved() {
    List<InFlightMessage<String>> messages = known("A");
    var moved = Generations.advance(running.store, TestSettings.SCOPE, 0);
    running.threads.advance(Duration.ofMinutes(1));
    running.store.calls.clear();

    assertThat(left(messages)).containsExactly("A");

    assertThat(moved).isNotNull();
    assertThat(running.store.calls).isEmpty();
  }
}
