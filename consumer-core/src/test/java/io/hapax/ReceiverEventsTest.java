package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.mark.Bytes;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.policy.ConflictPolicy;
import io.hapax.policy.MissingIdPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The events that the engine reports to a listener. */
class ReceiverEventsTest extends FaultFixture {

  private final List<ReceiverListener.HandlerCall> calls = new CopyOnWriteArrayList<>();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final List<Instant> doneAt = new CopyOnWriteArrayList<>();

  private final ReceiverListener listener = new ReceiverListener() {
    @Override
    public void onHandlerCall(ReceiverListener.HandlerCall call) {
      calls.add(call);
    }

    @Override
    public void onDuplicate(MessageKey key, Instant at) {
      told.add("duplicate " + key.id());
      doneAt.add(at);
    }

    @Override
    public void onConflict(MessageKey key, String coordinates, ConflictPolicy.Decision decision) {
      told.add("conflict " + key.id() + " at " + coordinates);
    }

    @Override
    public void onMissingId(String coordinates) {
      told.add("missing id at " + coordinates);
    }

    @Override
    public void onDeadLetter(DeadLetter<?> letter) {
      told.add("dead letter " + letter.kind() + " at " + letter.coordinates());
    }
  };

  @Test
  void outcomes_are_reported_by_key_or_without_an_id_by_coordinates() throws Exception {
    ReceiverListener both = new ReceiverListener() {
      @Override
      public void onOutcome(MessageKey key, String coordinates, Outcome outcome) {
        told.add(key.id() + " at " + coordinates + " " + outcome.mayAcknowledge());
      }

      @Override
      public void onOutcome(String coordinates, Outcome outcome) {
        told.add("no id at " + coordinates + " " + outcome.mayAcknowledge());
      }
    };
    receive(open(builder().listener(both).leased(marks, delivery -> {})), "a", "?");

    assertThat(told).containsExactlyInAnyOrder("a at p0@0 true", "no id at p0@1 true");
  }

  @Test
  void a_handler_call_is_reported_with_its_message_and_its_time() throws Exception {
    receive(open(builder().listener(listener).leased(marks, delivery -> effects.add("a"))), "a=1");

    assertThat(calls).singleElement().satisfies(call -> {
      assertThat(call.keys()).containsExactly(key("a"));
      assertThat(call.took()).isPositive();
      assertThat(call.failure()).isEmpty();
    });
  }

  @Test
  void a_failed_handler_call_is_reported_with_its_exception() throws Exception {
    IllegalStateException refused = new IllegalStateException("refused");

    receive(
        open(builder().listener(listener).answering(marks, delivery -> {
          throw refused;
        })),
        "a=1");

    assertThat(calls)
        .singleElement()
        .extracting(ReceiverListener.HandlerCall::failure)
        .isEqualTo(Optional.of(refused));
  }

  @Test
  void a_call_for_many_messages_is_one_call() throws Exception {
    receive(
        open(builder().listener(listener).leasedBatches(marks, deliveries -> {})), "a=1", "b=1");

    assertThat(calls)
        .singleElement()
        .satisfies(call -> assertThat(call.keys()).containsExactly(key("a"), key("b")));
  }

  @Test
  void an_unrun_message_is_no_handler_call_and_a_duplicate_has_its_done_time() throws Exception {
    receive(open(builder().leased(marks, delivery -> {})), "a=1");
    Instant done = mark("a").until();
    clock.advance(Duration.ofDays(2));

    receive(open(builder().listener(listener).leased(marks, delivery -> {})), "a=1");

    assertThat(calls).isEmpty();
    assertThat(told).containsExactly("duplicate a");
    assertThat(doneAt).containsExactly(done);
  }

  @Test
  void a_conflict_within_one_submission_is_reported_too() throws Exception {
    receive(open(builder().listener(listener).leased(marks, delivery -> {})), "a=1", "a=2");

    assertThat(told).containsExactly("conflict a at p0@1", "dead letter CONFLICT at p0@1");
  }

  @Test
  void a_message_without_an_id_is_reported_under_every_policy() throws Exception {
    receive(
        open(builder().id(it -> Optional.empty()).listener(listener).leased(marks, it -> {})), "a");
    receive(
        open(builder()
            .id(it -> Optional.of(Bytes.EMPTY))
            .missingId(MissingIdPolicy.COORDINATES)
            .listener(listener)
            .leased(marks, it -> {})),
        "a");

    assertThat(told)
        .containsExactly(
            "missing id at p0@0", "dead letter MISSING_ID at p0@0", "missing id at p0@0");
  }

  @Test
  void a_dead_letter_that_the_broker_has_not_taken_is_not_reported() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .deadLetters(letter -> {
          throw new IllegalStateException("the topic is gone");
        })
        .id(text -> Optional.empty())
        .listener(listener)
        .leased(marks, delivery -> {}));

    receive(receiver, "a");

    assertThat(told).containsExactly("missing id at p0@0");
  }

  @Test
  void all_listeners_are_notified_and_one_that_throws_affects_no_other() throws Exception {
    ReceiverListener broken = new ReceiverListener() {
      @Override
      public void onHandlerCall(ReceiverListener.HandlerCall call) {
        throw new NoSuchMethodError("a metrics library of another version");
      }
    };

    receive(
        open(builder().listener(broken).listener(listener).leased(marks, delivery -> {})), "a=1");

    assertThat(calls).hasSize(1);
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void a_message_waiting_for_another_receiver_notifies_its_own_listener() throws Exception {
    Gate handler = new Gate();
    List<String> told = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> first =
        open(builder().listener(listener("first", told)).leased(marks, delivery -> handler.pass()));
    IdempotentReceiver<String> second =
        open(builder().listener(listener("second", told)).leased(marks, delivery -> {}));
    Submission holder = first.submit(lane("p0", "a"), IGNORED);
    handler.awaitReached();
    Outcomes outcomes = new Outcomes(2);
    Submission follower = second.submit(both(lane("p1", "a"), lane("p2", "other")), outcomes);
    outcomes.awaitFirst();

    handler.open();
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
