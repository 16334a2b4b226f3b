package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.store.InMemoryDedupStore;
import java.util.List;
import org.junit.jupiter.api.Test;

class InFlightIdsTest {

  private final TestMessages messages = new TestMessages();
  private final InFlightIds ids = messages.ids;

  private boolean register(InFlightMessage<String> message) {
    return ids.register(message.requiredKey(), message);
  }

  @Test
  void the_first_message_of_an_id_holds_it_and_the_second_follows() {
    List<InFlightMessage<String>> twice = messages.read("A", "A");

    assertThat(register(twice.get(0))).isTrue();
    assertThat(register(twice.get(1))).isTrue();

    assertThat(ids.heldBy(twice.get(0))).isTrue();
    assertThat(ids.heldBy(twice.get(1))).isFalse();
    assertThat(ids.followsInItsLane(twice.get(1))).isTrue();
    assertThat(twice.get(0).followers()).containsExactly(twice.get(1));
  }

  @Test
  void a_follower_of_another_submission_does_not_follow_in_its_lane() {
    var unused = register(messages.message("A"));
    InFlightMessage<String> other = messages.message("A");
    var unusedToo = register(other);

    assertThat(ids.followsInItsLane(other)).isFalse();
  }

  @Test
  void the_id_is_free_after_the_outcome() {
    InFlightMessage<String> first = messages.message("A");
    var unused = register(first);

    messages.outcomes.finish(first, new Outcome.Executed(7, 1));

    InFlightMessage<String> next = messages.message("A");
    assertThat(register(next)).isTrue();
    assertThat(ids.heldBy(next)).isTrue();
  }

  @Test
  void no_message_takes_the_id_while_the_handler_of_a_finished_one_still_runs() {
    InFlightMessage<String> first = messages.message("A");
    var unused = register(first);
    first.beginHandling();
    messages.outcomes.finish(first, Deferrals.FENCED);

    assertThat(register(messages.message("A"))).isFalse();
    messages.outcomes.handled(first);

    assertThat(register(messages.message("A"))).isTrue();
  }

  @Test
  void receivers_of_one_store_share_their_ids() {
    InMemoryDedupStore store = new InMemoryDedupStore();

    assertThat(InFlightIds.of(store)).isSameAs(InFlightIds.of(store));
    assertThat(InFlightIds.of(store)).isNotSameAs(InFlightIds.of(new InMemoryDedupStore()));
  }
}
