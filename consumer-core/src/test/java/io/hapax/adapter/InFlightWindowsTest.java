package io.hapax.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.errors.ReceiverClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InFlightWindowsTest {

  private static final int WINDOW = 500;
  private static final Outcome DONE = new Outcome.Executed(1, 1);

  /** A submission whose outcomes the test decides. */
  private static final class Taken implements Submission {
    private final List<Incoming<String>> messages;
    private final Submission.OutcomeSink sink;
    private boolean abandoned;

    Taken(List<Incoming<String>> messages, Submission.OutcomeSink sink) {
      this.messages = messages;
      this.sink = sink;
    }

    private void finish() {
      IntStream.range(0, messages.size()).forEach(i -> sink.accept(i, DONE));
    }

    @Override
    public void abandon() {
      abandoned = true;
    }

    @Override
    public boolean await(Duration atMost) {
      return false;
    }

    @Override
    public void awaitOrAbandon(Duration patience) {
      abandon();
    }
  }

  private final List<Taken> submitted = new ArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<String> restarted = new ArrayList<>();
  private final InFlightWindows<String> windows =
      new InFlightWindows<>(new Lanes(), message -> 0, System::nanoTime);

  private final class Lanes implements ReceiverPort.LaneGroup<String> {

    @Override
    public Submission submit(List<Incoming<String>> messages, Submission.OutcomeSink sink) {
      if (closed.get()) {
        throw new ReceiverClosedException("orders");
      }
      Taken taken = new Taken(messages, sink);
      submitted.add(taken);
      return taken;
    }

    @Override
    public void restart(String lane) {
      restarted.add(lane + " before " + submitted.size());
    }

    @Override
    public void close() {
      closed.set(true);
    }
  }

  private static OffsetTracker<String> polled(int partition, int messages) {
    OffsetTracker<String> tracker = new OffsetTracker<>("orders-" + partition);
    IntStream.range(0, messages).forEach(i -> tracker.polled(Handout.always("m" + i), i));
    return tracker;
  }

  private List<OffsetTracker<String>> submitted(int messages, int partitions) {
    List<OffsetTracker<String>> ready =
        IntStream.range(0, partitions).mapToObj(it -> polled(it, messages)).toList();
    windows.submit(ready, WINDOW);
    return ready;
  }

  @Test
  void small_windows_of_many_partitions_are_submitted_together() {
    submitted(100, 3);

    assertThat(submitted).extracting(it -> it.messages.size()).containsExactly(300);
  }

  @Test
  void a_submission_never_holds_more_than_one_window() {
    submitted(400, 3);

    assertThat(submitted).extracting(it -> it.messages.size()).containsExactly(400, 400, 400);
  }

  @Test
  void each_partition_is_a_lane_whose_messages_have_coordinates() {
    submitted(1, 2);

    assertThat(submitted.get(0).messages)
        .containsExactly(
            new Incoming<>("m0", "orders-0", "orders-0@0", true),
            new Incoming<>("m0", "orders-1", "orders-1@0", true));
  }

  @Test
  void outcomes_are_applied_to_the_partition_that_they_belong_to() {
    List<OffsetTracker<String>> ready = submitted(2, 2);
    submitted.get(0).sink.accept(3, DONE);
    submitted.get(0).sink.accept(0, DONE);

    assertThat(windows.applyOutcomes()).isEqualTo(2);
    assertThat(ready.get(0).lowestUnfinished()).hasValue(1);
    assertThat(ready.get(1).lowestUnfinished()).hasValue(0);
    assertThat(windows.applyOutcomes()).isZero();
  }

  @Test
  void a_wait_ends_with_an_outcome_or_its_time() {
    List<OffsetTracker<String>> ready = submitted(1, 1);
    windows.awaitOutcome(Duration.ZERO);
    assertThat(ready.get(0).underway()).isTrue();
    submitted.get(0).finish();

    windows.awaitOutcome(Duration.ofSeconds(30));

    assertThat(ready.get(0).underway()).isFalse();
  }

  @Test
  void only_submissions_that_hold_messages_of_the_partitions_are_abandoned() {
    List<OffsetTracker<String>> ready = submitted(400, 2);

    windows.abandon(List.of(ready.get(1)));

    assertThat(submitted).extracting(it -> it.abandoned).containsExactly(false, true);
  }

  @Test
  void all_windows_of_a_partition_are_abandoned_and_drained() {
    OffsetTracker<String> tracker = submitted(2, 1).get(0);
    tracker.polled(Handout.always("m2"), 2);
    windows.submit(List.of(tracker), WINDOW);
    tracker.polled(Handout.always("m3"), 3);
    windows.submit(List.of(tracker), WINDOW);
    submitted.get(1).finish();
    assertThat(windows.applyOutcomes()).isOne();

    windows.abandon(List.of(tracker));

    assertThat(submitted).extracting(it -> it.abandoned).containsExactly(true, false, true);
    submitted.get(0).finish();
    assertThat(windows.drain(List.of(tracker), Duration.ofMillis(1))).isFalse();
    submitted.get(2).finish();
    assertThat(windows.drain(List.of(tracker), Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void a_lane_is_restarted_before_its_deferred_message_is_submitted_again() {
    OffsetTracker<String> tracker = polled(0, 1);
    windows.submit(List.of(tracker), WINDOW);
    submitted.get(0).sink.accept(0, new Outcome.Deferred(Outcome.Reason.BUSY, Duration.ZERO, ""));
    assertThat(windows.applyOutcomes()).isOne();

    windows.submit(List.of(tracker), WINDOW);
    assertThat(restarted).containsExactly("orders-0 before 1");

    windows.forget(List.of(tracker));
    assertThat(restarted).hasSize(2);
  }

  @Test
  void a_wait_is_ended_by_the_last_outcome_of_a_partition() {
    AtomicInteger woken = new AtomicInteger();
    var unused = submitted(2, 2);
    assertThat(windows.beginWait(woken::incrementAndGet)).isTrue();

    submitted.get(0).sink.accept(0, DONE);
    submitted.get(0).sink.accept(2, DONE);
    assertThat(woken).hasValue(0);
    submitted.get(0).sink.accept(3, DONE);
    assertThat(woken).hasValue(1);
    windows.endWait();
    submitted.get(0).sink.accept(1, DONE);

    assertThat(woken).hasValue(1);
  }

  @Test
  void there_is_no_reason_to_wait_when_outcomes_have_arrived() {
    var unused = submitted(1, 1);
    submitted.get(0).finish();

    assertThat(windows.beginWait(() -> {})).isFalse();
  }

  @Test
  void a_drain_waits_until_nothing_of_the_partitions_is_in_flight() {
    List<OffsetTracker<String>> ready = submitted(400, 2);
    submitted.get(0).finish();

    assertThat(windows.drain(List.of(ready.get(0)), Duration.ofSeconds(30))).isTrue();
    assertThat(windows.drain(ready, Duration.ofMillis(1))).isFalse();
  }

  @Test
  void no_wait_for_what_was_forgotten_or_refused_by_a_closed_receiver() {
    List<OffsetTracker<String>> ready = submitted(1, 1);
    windows.forget(ready);
    closed.set(true);
    OffsetTracker<String> refused = polled(7, 1);
    assertThatThrownBy(() -> windows.submit(List.of(refused), WINDOW))
        .isInstanceOf(ReceiverClosedException.class);

    assertThat(windows.drain(ready, Duration.ofSeconds(30))).isTrue();
    assertThat(windows.drain(List.of(refused), Duration.ofSeconds(30))).isTrue();
  }
}
