package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.policy.MissingIdPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What starts when. Two workers: while one is held by a handler, the other takes the lanes in the
 * order in which they were queued, so that what could have overtaken has done so.
 */
class LaneOrderTest extends LeasedFixture {

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

  private List<Outcome> receiveUnordered(ReceiverBuilder<String> builder, String... messages)
      throws InterruptedException {
    return open(builder.leased(store, this::fails))
        .receive(unordered("p0", messages), LONG_PATIENCE);
  }

  private void fails(Delivery<String> delivery) {
    if (delivery.message().startsWith("bad")) {
      throw new IllegalStateException("no stock");
    }
    effects.add(delivery.message());
  }

  @Test
  void a_message_behind_a_failing_message_runs() throws Exception {
    List<Outcome> outcomes = receiveUnordered(builder(), "a", "bad", "b", "bad2", "c");

    assertThat(effects).containsExactly("a", "b", "c");
    assertThat(reason(outcomes.get(1))).isEqualTo(Reason.RETRY);
    assertThat(reason(outcomes.get(3))).isEqualTo(Reason.RETRY);
    assertThat(outcomes.get(4)).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void a_message_behind_a_busy_message_runs() throws Exception {
    var unused = claimedElsewhere("busy", false, Duration.ofMinutes(5));

    List<Outcome> outcomes = receiveUnordered(builder(), "busy", "a");

    assertThat(effects).containsExactly("a");
    assertThat(reason(outcomes.get(0))).isEqualTo(Reason.BUSY);
  }

  @Test
  void a_message_behind_one_without_an_id_runs() throws Exception {
    List<Outcome> outcomes = receiveUnordered(builder().missingId(MissingIdPolicy.FAIL), "?", "a");

    assertThat(effects).containsExactly("a");
    assertThat(reason(outcomes.get(0))).isEqualTo(Reason.MISSING_ID);
  }

  @Test
  void messages_behind_a_failing_one_run_even_if_little_is_claimed_ahead() throws Exception {
    List<Outcome> outcomes = receiveUnordered(
        builder()
            .workers(1)
            .onUnknownOutcome(UnknownOutcomePolicy.probe(it -> OutcomeProbe.Answer.NOT_APPLIED)),
        "bad",
        "bad2",
        "a");

    assertThat(effects).containsExactly("a");
    assertThat(reason(outcomes.get(0))).isEqualTo(Reason.RETRY);
    assertThat(reason(outcomes.get(1))).isEqualTo(Reason.RETRY);
  }

  @Test
  void a_batch_handler_gets_the_messages_before_and_behind_a_busy_one() throws Exception {
    var unused = claimedElsewhere("busy", false, Duration.ofMinutes(5));
    List<List<String>> calls = new CopyOnWriteArrayList<>();

    List<Outcome> outcomes = open(builder()
            .leasedBatches(
                store,
                deliveries ->
                    calls.add(deliveries.stream().map(Delivery::message).toList())))
        .receive(unordered("p0", "a", "b", "busy", "c", "d"), LONG_PATIENCE);

    assertThat(calls).containsExactly(List.of("a", "b"), List.of("c", "d"));
    assertThat(reason(outcomes.get(2))).isEqualTo(Reason.BUSY);
  }
}
