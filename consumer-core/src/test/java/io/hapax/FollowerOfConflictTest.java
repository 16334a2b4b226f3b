package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.errors.NotAppliedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The same id twice on its way, with different payloads. */
class FollowerOfConflictTest extends FaultFixture {

  @Test
  @DisplayName("invariants 1 and 11: a dead-lettered impostor does not take its victim with it")
  void the_owner_of_a_mark_is_not_dead_lettered_for_an_earlier_conflict() throws Exception {
    AtomicBoolean gatewayDown = new AtomicBoolean(true);
    IdempotentReceiver<String> receiver = open(builder().leased(marks, delivery -> {
      if (gatewayDown.get()) {
        throw new NotAppliedException("gateway down");
      }
      effects.add(delivery.message());
    }));
    receiver.receive(lane("p0", "a=1"), PATIENCE); // its mark waits for the next attempt
    gatewayDown.set(false);
    clock.advance(Duration.ofMinutes(2));

    List<Outcome> outcomes = receiver.receive(lane("p0", "a=2", "a=1"), PATIENCE);
    if (!outcomes.get(1).mayAcknowledge()) {
      receiver.receive(lane("p0", "a=1"), PATIENCE);
    }

    assertThat(buried).extracting(DeadLetter::message).containsExactly("a=2");
    assertThat(effects).containsExactly("a=1");
  }

  @Test
  @DisplayName("invariant 1: a dead letter goes where its own receiver sends them")
  void a_conflicting_follower_is_dead_lettered_by_its_own_receiver() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    IdempotentReceiver<String> first =
        open(builder().deadLetters(letter -> effects.add("wrong topic")).leased(marks, delivery -> {
          running.countDown();
          go.await();
        }));
    IdempotentReceiver<String> second = open(builder().leased(marks, delivery -> {}));
    Submission holder = first.submit(lane("p0", "a=1"), (index, outcome) -> {});
    running.await();
    Outcomes outcomes = new Outcomes(2);
    Submission follower = second.submit(both(lane("p1", "a=2"), lane("p2", "other")), outcomes);
    outcomes.awaitFirst(); // so that a=2 waits for a=1 by now

    go.countDown();
    holder.await(PATIENCE);

    assertThat(follower.await(PATIENCE)).isTrue();
    assertThat(effects).isEmpty();
    assertThat(buried).extracting(DeadLetter::message).containsExactly("a=2");
  }
}
