package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What starts when. Two workers: while one is held by a handler, the other takes the lanes in the
 * order in which they were queued, so that what could have overtaken has done so.
 */
class LaneOrderTest extends FaultFixture {

  @Test
  @DisplayName("messages of one lane start in order while another lane's shard is away")
  void an_answer_that_comes_later_does_not_start_a_running_lane_again() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    IdempotentReceiver<String> receiver =
        open(builder().workers(2).leased(faulty(awayOnce("late")), delivery -> {
          effects.add(delivery.message());
          if (delivery.message().equals("first")) {
            late.await();
          }
          late.countDown();
        }));

    List<Outcome> outcomes =
        receiver.receive(both(lane("p0", "first", "second"), lane("p1", "late")), PATIENCE);

    assertThat(outcomes).allMatch(Outcome.Executed.class::isInstance);
    assertThat(effects).containsExactly("first", "late", "second");
  }

  @Test
  @DisplayName("invariant 14: a lane opens once all of its messages are answered")
  void a_lane_whose_first_message_is_answered_last_runs() throws Exception {
    IdempotentReceiver<String> receiver =
        open(builder().leased(faulty(awayOnce("late")), this::record));

    List<Outcome> outcomes = receive(receiver, "late", "a");

    assertThat(outcomes).allMatch(Outcome.Executed.class::isInstance);
    assertThat(effects).containsExactly("late", "a");
  }

  @Test
  @DisplayName("invariant 12: messages behind the second of an id wait for the first, too")
  void a_lane_waits_for_the_same_id_in_another_lane() throws Exception {
    CountDownLatch other = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = open(builder().workers(2).leased(marks, delivery -> {
      if (delivery.message().equals("a")) {
        other.await();
      }
      effects.add(delivery.message());
      other.countDown();
    }));
    List<Incoming<String>> messages = both(lane("p0", "a"), lane("p1", "a", "behind"));

    receiver.receive(both(messages, lane("p2", "other")), PATIENCE);

    assertThat(effects).containsExactly("other", "a", "behind");
  }

  @Test
  @DisplayName("invariant 10: what was lost alone runs one at a time, and then the next")
  void two_suspects_do_not_run_at_once() throws Exception {
    claimedElsewhere("a", true, Duration.ofMinutes(1));
    claimedElsewhere("b", true, Duration.ofMinutes(1));
    clock.advance(Duration.ofMinutes(2));
    AtomicInteger suspects = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch other = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = open(builder().workers(2).leased(marks, delivery -> {
      if (delivery.message().equals("other")) {
        other.countDown();
        return;
      }
      most.accumulateAndGet(suspects.incrementAndGet(), Math::max);
      other.await(2, TimeUnit.SECONDS); // two at once leave no worker for the other
      suspects.decrementAndGet();
    }));

    List<Outcome> outcomes = receiver.receive(
        both(both(lane("p0", "a"), lane("p1", "b")), lane("p2", "other")), PATIENCE);

    assertThat(outcomes).allMatch(Outcome.Executed.class::isInstance);
    assertThat(most).hasValue(1);
  }

  /** The shard of one message does not answer its first claim. */
  private Fault awayOnce(String id) {
    AtomicBoolean away = new AtomicBoolean(true);
    return (verb, items, call) -> {
      Object answers = call.go();
      if (!verb.equals("claim") || ((ClaimRequest) items.get(0)).terms().solo()) {
        return answers;
      }
      List<Object> some = new ArrayList<>((List<?>) answers);
      for (int i = 0; i < items.size(); i++) {
        boolean its = ((ClaimRequest) items.get(i)).key().equals(key(id));
        if (its && some.get(i) instanceof ClaimAnswer.Acquired && away.getAndSet(false)) {
          some.set(i, new ClaimAnswer.Unavailable("its shard"));
        }
      }
      return some;
    };
  }
}
