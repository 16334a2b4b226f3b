package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter.Kind;
import io.hapax.adapter.Outcome;
import io.hapax.errors.RejectedMessageException;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Errors that no further attempt can mend. */
class NotRetryableTest extends FaultFixture {

  private static final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Malformed(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private ReceiverBuilder<String> refusingMalformed() {
    return builder().notRetryable(Malformed.class::isInstance);
  }

  private Outcome receive(ReceiverBuilder<String> builder, RuntimeException thrown)
      throws Exception {
    IdempotentReceiver<String> receiver = open(builder.leased(marks, delivery -> {
      effects.add(delivery.message());
      throw thrown;
    }));
    return receiveOne(receiver, "a");
  }

  private static Malformed malformed() {
    return new Malformed("no such item", new IllegalArgumentException("sku 17"));
  }

  @Test
  void a_rejected_message_is_dead_after_one_attempt_and_not_in_doubt() throws Exception {
    Outcome outcome = receive(builder(), new RejectedMessageException("no such item"));

    assertThat(outcome).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(effects).hasSize(1);
    assertThat(mark("a").state()).isEqualTo(MarkState.DEAD);
    assertThat(buried.get(0).kind()).isEqualTo(Kind.NOT_RETRYABLE);
    assertThat(buried.get(0).attempts()).isEqualTo(1);
    assertThat(buried.get(0).inDoubt()).isFalse();
  }

  @Test
  void a_rejected_message_whose_dead_letter_is_refused_runs_within_its_attempts_only()
      throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .deadLetters(letter -> {
          throw new IllegalStateException("no such topic");
        })
        .leased(marks, delivery -> {
          effects.add(delivery.message());
          throw new RejectedMessageException("no such item");
        }));

    for (int delivery = 1; delivery <= 5; delivery++) {
      Outcome outcome = receiveOne(receiver, "a");
      assertThat(outcome).isInstanceOf(Outcome.Deferred.class);
      clock.advance(Duration.ofMinutes(10));
    }
    assertThat(effects).hasSize(3);
  }

  @Test
  @DisplayName("an error that does not say that nothing happened leaves its effect in doubt")
  void a_selected_error_is_recorded_with_its_cause_and_as_in_doubt() throws Exception {
    receive(refusingMalformed(), malformed());

    assertThat(buried.get(0).kind()).isEqualTo(Kind.NOT_RETRYABLE);
    assertThat(buried.get(0).detail()).contains("Malformed: no such item", "sku 17");
    assertThat(buried.get(0).inDoubt()).isTrue();
    assertThat(mark("a").detail().toString()).startsWith("in doubt: ").contains("no such item");
  }

  @Test
  void at_most_once_calls_it_in_doubt_first() throws Exception {
    receive(refusingMalformed().onUnknownOutcome(UnknownOutcomePolicy.deadLetter()), malformed());

    assertThat(buried.get(0).kind()).isEqualTo(Kind.IN_DOUBT);
    assertThat(buried.get(0).inDoubt()).isTrue();
  }

  @Test
  void an_error_that_the_predicate_does_not_name_is_tried_again() throws Exception {
    Outcome outcome = receive(refusingMalformed(), new IllegalStateException("timeout"));

    assertThat(((Outcome.Deferred) outcome).reason()).isEqualTo(Outcome.Reason.RETRY);
    assertThat(buried).isEmpty();
  }

  @Test
  void after_a_shared_call_only_the_message_rejected_alone_is_dead_lettered() throws Exception {
    IdempotentReceiver<String> receiver = open(builder().leasedBatches(marks, deliveries -> {
      if (deliveries.stream().anyMatch(it -> it.message().equals("bad"))) {
        throw new RejectedMessageException("no such item");
      }
    }));

    List<Outcome> first = receive(receiver, "a", "bad", "b");
    clock.advance(Duration.ofMinutes(2));
    List<Outcome> second = receive(receiver, "a", "bad", "b");

    assertThat(first).allMatch(Outcome.Deferred.class::isInstance);
    assertThat(second).allMatch(Outcome::mayAcknowledge);
    assertThat(buried).extracting(DeadLetter::message).containsExactly("bad");
  }

  @Test
  void a_predicate_that_throws_makes_the_error_one_that_may_be_tried_again() throws Exception {
    Outcome outcome = receive(
        builder().notRetryable(error -> {
          throw new StackOverflowError("a long chain of causes");
        }),
        malformed());

    assertThat(((Outcome.Deferred) outcome).reason()).isEqualTo(Outcome.Reason.RETRY);
  }
}
