package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hapax.DeadLetter.Kind;
import io.hapax.adapter.Outcome;
import io.hapax.errors.RejectedMessageException;
import io.hapax.mark.MarkState;
import java.io.Closeable;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Errors that no further attempt can mend: rejected messages, errors that a predicate names, and
 * errors that say that a message cannot be converted.
 */
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

  private Outcome receive(ReceiverBuilder<String> builder, Exception thrown) throws Exception {
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

  private static final class PriceServiceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PriceServiceException(Throwable cause) {
      super("no usable answer", cause);
    }
  }

  /** Is written as JSON by a handler. */
  public static final class Lazy {
    private final Callable<List<String>> lines;

    Lazy(Callable<List<String>> lines) {
      this.lines = lines;
    }

    public List<String> getLines() throws Exception {
      return lines.call();
    }
  }

  private static JsonMappingException whileWriting(Exception thrown) {
    Lazy value = new Lazy(() -> {
      throw thrown;
    });
    return catchThrowableOfType(
        JsonMappingException.class, () -> new ObjectMapper().writeValueAsString(value));
  }

  private static JsonProcessingException malformedJson() {
    return catchThrowableOfType(
        JsonProcessingException.class, () -> new ObjectMapper().readTree("{\"order\":"));
  }

  static Stream<Exception> ofTheData() throws Exception {
    return Stream.of(
        malformedJson(),
        catchThrowableOfType(
            JsonMappingException.class, () -> new ObjectMapper().readValue("[]", Integer.class)),
        new InvalidClassException("Order"),
        new CompletionException(new UncheckedIOException(malformedJson())),
        whileWriting(new NumberFormatException("x")));
  }

  @ParameterizedTest
  @MethodSource("ofTheData")
  void what_cannot_be_converted_is_dead_lettered_after_one_attempt(Exception thrown)
      throws Exception {
    assertThat(receive(builder(), thrown)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).extracting(DeadLetter::kind).containsExactly(Kind.NOT_RETRYABLE);
    assertThat(buried.get(0).attempts()).isEqualTo(1);
  }

  /** A call that breaks off, a list that changes, want of memory, an answer of another service. */
  static Stream<Exception> thatMayPass() {
    Closeable connection = () -> {};
    return Stream.of(
        new JsonMappingException(
            connection, "no order", new SocketTimeoutException("read timed out")),
        whileWriting(new ConcurrentModificationException()),
        whileWriting(new SQLTransientConnectionException("no connection")),
        whileWriting(new TimeoutException("no schema within 5 s")),
        whileWriting(new InterruptedException()),
        (Exception)
            new InvalidClassException("Order").initCause(new OutOfMemoryError("Java heap space")),
        new PriceServiceException(malformedJson()),
        new IOException("the answer is no JSON", malformedJson()));
  }

  @ParameterizedTest
  @MethodSource("thatMayPass")
  void a_conversion_error_that_does_not_come_from_the_data_is_tried_again(Exception thrown)
      throws Exception {
    assertThat(reason(receive(builder(), thrown))).isEqualTo(Outcome.Reason.RETRY);
    assertThat(buried).isEmpty();
  }

  @Test
  void an_error_of_converting_after_the_handling_limit_is_tried_again() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    IdempotentReceiver<String> receiver =
        open(builder().handlerTimeout(Duration.ofMillis(50)).leased(marks, delivery -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            throw malformedJson();
          }
        }));

    Outcome outcome = receiveOne(receiver, "a");

    assertThat(outcome).isInstanceOf(Outcome.Deferred.class);
    assertThat(buried).isEmpty();
  }

  @Test
  void a_conversion_error_is_not_retryable_whatever_else_the_predicate_names() throws Exception {
    assertThat(receive(refusingMalformed(), malformedJson()))
        .isInstanceOf(Outcome.DeadLettered.class);
  }
}
