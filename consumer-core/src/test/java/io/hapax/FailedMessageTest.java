package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of a message whose attempts fail, and when it is dead. */
class FailedMessageTest extends LeasedFixture {

  @Test
  void a_failed_message_is_deferred_by_its_backoff_and_stops_its_lane() throws Exception {
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      if (delivery.message().equals("a") && delivery.attempt() < 3) {
        throw new IllegalStateException("gateway down");
      }
      effects.add(delivery.message());
    });

    for (int minutes : List.of(1, 2)) {
      List<Outcome> outcomes = receive(receiver, "a", "b");

      assertThat(((Deferred) outcomes.get(0)).reason()).isEqualTo(Reason.RETRY);
      assertThat(((Deferred) outcomes.get(0)).after()).isEqualTo(Duration.ofMinutes(minutes));
      assertThat(((Deferred) outcomes.get(1)).reason()).isEqualTo(Reason.BLOCKED);
      assertThat(effects).isEmpty();
      assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
      assertThat(mark("a").claim().attempt().inDoubt()).isTrue();
      assertThat(((Deferred) receive(receiver, "a").get(0)).reason()).isEqualTo(Reason.BUSY);
      clock.advance(Duration.ofMinutes(minutes));
    }
    assertThat(receive(receiver, "a", "b")).allMatch(Outcome.Executed.class::isInstance);
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  @DisplayName(
      "invariant 1: dead only after its record is published; invariant 10: attempts are kept in the store")
  void after_the_last_attempt_the_message_is_dead_lettered() throws Exception {
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      throw new IllegalStateException("poison");
    });
    for (int i = 0; i < 2; i++) {
      assertThat(receive(receiver, "a").get(0).mayAcknowledge()).isFalse();
      clock.advance(Duration.ofMinutes(10));
    }

    assertThat(receive(receiver, "a").get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).hasSize(1);
    assertThat(buried.get(0).error().orElseThrow()).hasMessage("poison");
    assertThat(mark("a").state()).isEqualTo(MarkState.DEAD);
    assertThat(receive(receiver, "a").get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).hasSize(1);
  }

  @Test
  @DisplayName("invariant 10: an attempt past the maximum does not run")
  void a_message_that_kept_killing_its_owners_is_dead_lettered_unrun() throws Exception {
    for (int i = 0; i < 4; i++) {
      lost(true, "a");
    }

    assertThat(receive(recording(), "a").get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(effects).isEmpty();
    assertThat(buried).hasSize(1);
    assertThat(buried.get(0).error()).isEmpty();
  }

  @Test
  void a_message_that_fails_in_its_last_delivery_is_dead_lettered_at_once() throws Exception {
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      effects.add(delivery.message());
      throw new IllegalStateException("poison");
    });

    assertThat(receiveLast(receiver)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(effects).containsExactly("a");
    assertThat(buried).hasSize(1);
  }

  @Test
  void a_message_that_failed_before_its_last_delivery_is_dead_lettered_unrun() throws Exception {
    receive(
        receiver(delivery -> {
          throw new IllegalStateException("poison");
        }),
        "a");
    clock.advance(Duration.ofMinutes(10));

    assertThat(receiveLast(recording())).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(effects).isEmpty();
    assertThat(buried).hasSize(1);
  }

  @Test
  void a_message_whose_last_delivery_succeeds_is_done() throws Exception {
    assertThat(receiveLast(recording())).isInstanceOf(Outcome.Executed.class);
    assertThat(effects).containsExactly("a");
  }

  /** Receives a message that the broker delivers no more. */
  private static Outcome receiveLast(IdempotentReceiver<String> receiver)
      throws InterruptedException {
    Incoming<String> last =
        new Incoming<>(Handout.of("a"), "lane", false, "place", true, Incoming.NO_TIMESTAMP, true);
    return receiver.receive(List.of(last), LONG_PATIENCE).get(0);
  }
}
