package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.adapter.Submission;
import io.hapax.mark.Bytes;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What becomes of submissions before their messages are read, and while they are. */
class AdmissionTest extends GenerationFixture {

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
