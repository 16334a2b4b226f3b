package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hapax.DeadLetter.Kind;
import io.hapax.adapter.Outcome;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors that say that a message cannot be converted, which no further attempt can mend. */
class ConversionErrorTest extends FaultFixture {

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

  private Outcome receive(Exception thrown) throws Exception {
    IdempotentReceiver<String> receiver = open(builder().leased(marks, delivery -> {
      throw thrown;
    }));
    return receiveOne(receiver, "a");
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
    assertThat(receive(thrown)).isInstanceOf(Outcome.DeadLettered.class);
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
    assertThat(reason(receive(thrown))).isEqualTo(Outcome.Reason.RETRY);
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
  void it_is_not_retryable_whatever_else_the_predicate_names() throws Exception {
    IdempotentReceiver<String> receiver = open(
        builder().notRetryable(IllegalStateException.class::isInstance).leased(marks, delivery -> {
          throw malformedJson();
        }));

    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.DeadLettered.class);
  }
}
