package io.hapax.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.health.Problem.Kind;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Orders within a partition, under one commit cursor. */
class OrderingTest {

  private record Event(@Nullable Object key, int number) {}

  private static final class Identity {}

  private static final class Broken {
    @Override
    public int hashCode() {
      throw new IllegalStateException("no hash");
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }
  }

  private static final Outcome DONE = new Outcome.Executed(1, 1);
  private static final Deferred LATER = new Deferred(Reason.RETRY, Duration.ofNanos(100), "");
  private static final Deferred BEHIND = new Deferred(Reason.BLOCKED, Duration.ZERO, "");
  private static final long NOW = 1_000_000;

  private OffsetTracker<Event> tracker =
      new OffsetTracker<>("orders-3", Ordering.byKey(Event::key));
  private final List<String> restarted = new ArrayList<>();

  private List<PolledMessage<Event>> polled(@Nullable Object... keys) {
    int first = (int) tracker.next().orElse(0);
    for (int i = 0; i < keys.length; i++) {
      tracker.polled(Handout.always(new Event(keys[i], first + i)), first + i);
    }
    return tracker.take(500, NOW);
  }

  private List<Long> taken(long now) {
    return tracker.take(500, now, restarted::add).stream()
        .map(PolledMessage::offset)
        .toList();
  }

  private void resolve(PolledMessage<Event> message, Outcome outcome) {
    tracker.resolved(message, outcome, NOW);
  }

  private static List<String> lanes(List<PolledMessage<Event>> window) {
    return window.stream().map(it -> it.lane().name()).toList();
  }

  @Test
  void a_deferred_message_holds_back_only_its_key() {
    var window = polled("a", "b", "a", "b");
    resolve(window.get(0), LATER);
    resolve(window.get(1), DONE);
    resolve(window.get(2), BEHIND);
    resolve(window.get(3), DONE);
    tracker.polled(Handout.always(new Event("a", 4)), 4);
    tracker.polled(Handout.always(new Event("b", 5)), 5);

    assertThat(tracker.ready(NOW, 500)).isTrue();
    assertThat(taken(NOW)).containsExactly(5L);
    assertThat(tracker.ready(NOW + 99, 500)).isFalse();
    assertThat(tracker.waiting(NOW)).as("others can be polled").isFalse();
    assertThat(tracker.lowestUnfinished()).hasValue(0);

    assertThat(tracker.ready(NOW + 100, 500)).isTrue();
    assertThat(taken(NOW + 100)).containsExactly(0L, 2L, 4L);
    assertThat(restarted).containsExactly(window.get(0).lane().name());
  }

  @Test
  void a_deferred_message_waits_for_those_of_its_key_that_are_in_flight() {
    var window = polled("a", "a");
    resolve(window.get(0), new Deferred(Reason.BUSY, Duration.ZERO, ""));

    assertThat(tracker.ready(NOW, 500)).isFalse();

    resolve(window.get(1), BEHIND);
    assertThat(taken(NOW)).containsExactly(0L, 1L);
  }

  @Test
  void what_is_finished_behind_a_slow_message_counts_until_the_limit() {
    var window = polled("slow", "b", "c");
    resolve(window.get(1), DONE);
    resolve(window.get(2), DONE);
    tracker.polled(Handout.always(new Event("d", 3)), 3);

    assertThat(tracker.kept()).isEqualTo(4);
    assertThat(tracker.ready(NOW, 2)).isFalse();
    assertThat(tracker.ready(NOW, 3)).isTrue();
  }

  @Test
  void equal_keys_share_a_lane_and_others_do_not() {
    var lanes = lanes(polled("a", new byte[] {1}, "b", "a", new byte[] {1}));

    assertThat(lanes.get(3)).isEqualTo(lanes.get(0));
    assertThat(lanes.get(4)).isEqualTo(lanes.get(1));
    assertThat(Set.copyOf(lanes)).hasSize(3);
  }

  @Test
  void keys_that_cannot_be_compared_keep_the_order_of_the_partition() {
    var lanes = lanes(polled(new Identity(), new int[] {1}, new Identity(), new Broken()));

    assertThat(Set.copyOf(lanes)).containsExactly("orders-3");
  }

  @Test
  void a_message_without_a_key_has_no_order() {
    assertThat(Set.copyOf(lanes(polled(null, null)))).hasSize(2);
  }

  @Test
  void a_lane_is_forgotten_with_its_last_message() {
    var window = polled("a", "a", "b");
    resolve(window.get(0), DONE);
    assertThat(tracker.ended(window.get(0))).isFalse();

    resolve(window.get(1), DONE);

    assertThat(tracker.ended(window.get(1))).isTrue();
    assertThat(lanes(polled("a"))).doesNotContain(window.get(0).lane().name());
  }

  @Test
  void all_lanes_of_a_dropped_assignment_are_forgotten_also_those_in_flight() {
    var window = polled(null, "a", null);
    resolve(window.get(0), LATER);

    assertThat(tracker.drop())
        .contains("orders-3", window.get(0).lane().name(), window.get(1).lane().name());

    resolve(window.get(2), LATER);
    assertThat(tracker.ended(window.get(2))).isTrue();
    assertThat(tracker.ended(window.get(1))).as("in flight").isFalse();
  }

  @Test
  void a_buffer_that_its_handler_reads_keeps_its_lane() {
    ByteBuffer key = ByteBuffer.wrap(new byte[] {1, 2});
    String lane = lanes(polled(key)).get(0);
    assertThat(key.get()).isEqualTo((byte) 1);

    assertThat(lanes(polled(ByteBuffer.wrap(new byte[] {1, 2})))).containsExactly(lane);
  }

  @Test
  void the_lowest_message_does_not_wait_for_others_when_it_is_due() {
    tracker = new OffsetTracker<>("orders-3", Ordering.none());
    var window = polled(null, null, null, null, null);
    resolve(window.get(0), LATER);
    for (int i = 1; i < 4; i++) {
      resolve(window.get(i), DONE);
    }

    assertThat(tracker.ready(NOW + 99, 2)).isFalse();
    assertThat(tracker.ready(NOW + 100, 2)).isTrue();
  }

  @Test
  void a_lane_of_an_earlier_assignment_never_has_the_name_of_a_new_one() {
    String earlier = lanes(polled("a")).get(0);

    tracker = new OffsetTracker<>("orders-3", Ordering.byKey(Event::key));

    assertThat(lanes(polled("a"))).doesNotContain(earlier);
  }

  @Test
  void without_an_order_each_message_comes_back_by_itself() {
    tracker = new OffsetTracker<>("orders-3", Ordering.none());
    var window = polled("a", "a", "a");
    resolve(window.get(1), LATER);
    resolve(window.get(2), DONE);

    assertThat(tracker.inOrder()).isFalse();
    assertThat(taken(NOW + 99)).isEmpty();
    assertThat(taken(NOW + 100)).containsExactly(1L);
    assertThat(tracker.lowestUnfinished()).hasValue(0);
  }

  @Test
  void a_message_without_an_outcome_is_a_problem_although_others_move() {
    var window = polled("stuck", "b");
    Duration silence = Duration.ofMinutes(5);
    long late = NOW + silence.toNanos() + 1;
    tracker.resolved(window.get(1), DONE, late);

    assertThat(tracker.problem(late, silence))
        .hasValueSatisfying(it -> assertThat(it.kind()).isEqualTo(Kind.NO_PROGRESS));
  }

  @Test
  void the_message_that_holds_back_the_commit_is_named() {
    var window = polled("a", "b");
    resolve(window.get(1), DONE);
    resolve(window.get(0), LATER);

    assertThat(tracker.problem(NOW, Duration.ofMinutes(5)))
        .hasValueSatisfying(it -> assertThat(it.subject()).isEqualTo("orders-3@0"));
  }
}
