package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.adapter.Submission;
import io.hapax.mark.Bytes;
import io.hapax.store.StoreLoss;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How a receiver reads its generation, and what it does while it cannot. */
class GenerationReadingTest extends GenerationFixture {

  private static final StoreLoss LOSS = new StoreLoss("node 7", StoreLoss.Extent.EVERYTHING);

  @Test
  void messages_wait_while_the_generation_cannot_be_read_and_run_once_it_can() throws Exception {
    unreadable.set(true);
    IdempotentReceiver<String> receiver = receiver(SELDOM);
    Outcomes outcomes = new Outcomes(2);
    Submission submission = receiver.submit(lane("p0", "a", "b"), outcomes);
    awaitProblem(receiver, "read the generation", "no permissions");
    assertThat(receiver.health().storeReachable()).isFalse();
    assertThat(claims).hasValue(0);

    unreadable.set(false);

    awaitAll(submission);
    assertThat(effects).containsExactly("a", "b");
    assertThat(outcomes.seen).allMatch(it -> it.size() == 1);
    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  void abandoning_before_the_generation_was_read_gives_outcomes_at_once() throws Exception {
    unreadable.set(true);
    IdempotentReceiver<String> receiver = receiver(SELDOM);
    Outcomes abandoned = new Outcomes(1);
    Outcomes closed = new Outcomes(1);
    Submission first = receiver.submit(lane("p0", "a"), abandoned);
    Submission second = receiver.submit(lane("p1", "b"), closed);
    awaitProblem(receiver, "read the generation");

    first.abandon();
    awaitAll(first);
    receiver.close();

    awaitAll(second);
    assertThat(abandoned.seen.get(0))
        .hasOnlyElementsOfType(Outcome.Deferred.class)
        .hasSize(1);
    assertThat(closed.seen.get(0)).hasOnlyElementsOfType(Outcome.Deferred.class).hasSize(1);
    assertThat(effects).isEmpty();
  }

  @Test
  void a_generation_that_cannot_be_read_for_a_while_is_only_a_problem() throws Exception {
    IdempotentReceiver<String> receiver = receiver(OFTEN);
    handled(receiver, "a");

    unreadable.set(true);
    awaitProblem(receiver, "generation of consumer orders could not be read");
    handled(receiver, "b");

    unreadable.set(false);
    eventually(() -> receiver.problems().isEmpty());
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void a_hung_read_of_the_generation_is_a_problem() throws Exception {
    IdempotentReceiver<String> receiver = receiver(OFTEN);
    handled(receiver, "a");

    hanging.set(true);

    awaitProblem(receiver, "generation of consumer orders could not be read: no answer yet after");
    hanging.set(false);
    mayAnswer.countDown();
    eventually(() -> receiver.problems().isEmpty());
  }

  @Test
  void a_loss_reported_during_a_read_makes_the_generation_be_read_again() throws Exception {
    move(0);
    IdempotentReceiver<String> receiver = receiver(SELDOM);
    handled(receiver, "a");
    hanging.set(true);
    listeners.onDataLost(LOSS);
    assertThat(hangs.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    emptied.set(true);
    listeners.onDataLost(LOSS);
    hanging.set(false);
    mayAnswer.countDown();

    awaitProblem(receiver, "generation of consumer orders was 1 and is 0");
  }

  @Test
  void the_generation_is_read_once_and_not_for_each_submission() throws Exception {
    IdempotentReceiver<String> receiver = receiver(SELDOM);

    for (int i = 0; i < 50; i++) {
      handled(receiver, "m" + i);
    }

    assertThat(finds).hasValue(1);
  }

  private final CountDownLatch reading = new CountDownLatch(1);
  private final CountDownLatch mayRead = new CountDownLatch(1);

  private Optional<Bytes> read(String text) {
    if (text.equals("hangs")) {
      reading.countDown();
      awaitUninterruptibly(mayRead);
    }
    return Optional.of(Bytes.utf8(text));
  }

  private ReceiverBuilder<String> reading() {
    return builder().lease(SELDOM).id(this::read);
  }

  private IdempotentReceiver<String> open(ReceiverBuilder<String> builder) {
    return open(builder.leased(store, this::record));
  }

  @Test
  void a_lane_restarted_before_the_generation_was_read_runs_after_it() throws Exception {
    unreadable.set(true);
    IdempotentReceiver<String> receiver = open(reading());
    LaneGroup<String> lanes = receiver.port().openLanes();
    Submission first = lanes.submit(lane("p0", "a"), new Outcomes(1));
    first.abandon();
    awaitAll(first);
    lanes.restart("p0");
    Outcomes again = new Outcomes(2);

    Submission second = lanes.submit(lane("p0", "a", "b"), again);
    unreadable.set(false);

    awaitAll(second);
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void an_id_that_cannot_be_read_does_not_stop_the_others_that_waited() throws Exception {
    unreadable.set(true);
    IdempotentReceiver<String> receiver = open(reading());
    Submission hangs = receiver.submit(lane("p0", "hangs"), new Outcomes(1));
    Submission other = receiver.submit(lane("p1", "a"), new Outcomes(1));
    unreadable.set(false);
    assertThat(reading.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    try {
      awaitAll(other);
      assertThat(receiver.receive(lane("p2", "b"), PATIENCE))
          .hasOnlyElementsOfType(Outcome.Executed.class);
    } finally {
      mayRead.countDown();
    }
    awaitAll(hangs);
  }
}
