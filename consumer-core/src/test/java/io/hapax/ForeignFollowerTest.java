package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two receivers of one store in one process, and the same id in both. */
class ForeignFollowerTest extends FaultFixture {

  @Test
  @DisplayName("a message is booked by the receiver that it was submitted to")
  void a_message_waiting_for_another_receiver_notifies_its_own_listener() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    List<String> told = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> first =
        open(builder().listener(listener("first", told)).leased(marks, delivery -> {
          running.countDown();
          go.await();
        }));
    IdempotentReceiver<String> second =
        open(builder().listener(listener("second", told)).leased(marks, delivery -> {}));
    Submission holder = first.submit(lane("p0", "a"), (index, outcome) -> {});
    running.await();
    Outcomes outcomes = new Outcomes(2);
    Submission follower = second.submit(both(lane("p1", "a"), lane("p2", "other")), outcomes);
    outcomes.awaitFirst();

    go.countDown();
    holder.await(PATIENCE);
    follower.await(PATIENCE);
    first.close(); // all events have been reported
    second.close();

    assertThat(told).containsExactlyInAnyOrder("first p0@0", "second p1@0", "second p2@0");
  }

  private static ReceiverListener listener(String name, List<String> told) {
    return new ReceiverListener() {
      @Override
      public void onOutcome(String coordinates, Outcome outcome) {
        told.add(name + " " + coordinates);
      }
    };
  }
}
