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
import org.junit.jupiter.api.Test;

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
    return receiver.receive(lane("p0", "a"), PATIENCE).get(0);
  }

  private void assertDeadAtOnce(Exception thrown) throws Exception {
    assertThat(receive(thrown)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).extracting(DeadLetter::kind).containsExactly(Kind.NOT_RETRYABLE);
    assertThat(buried.get(0).attempts()).isEqualTo(1);
  }

  private void assertTriedAgain(Exception thrown) throws Exception {
    Outcome outcome = receive(thrown);

    assertThat(((Outcome.Deferred) outcome).reason()).isEqualTo(Outcome.Reason.RETRY);
    assertThat(buried).isEmpty();
  }

  @Test
  void malformed_json_goes_to_the_dead_letters_after_one_attempt() throws Exception {
    assertDeadAtOnce(malformedJson());
  }

  @Test
  void a_text_of_another_class_is_dead_lettered_after_one_attempt() throws Exception {
    assertDeadAtOnce(catchThrowableOfType(
        JsonMappingException.class, () -> new ObjectMapper().readValue("[]", Integer.class)));
  }

  @Test
  void an_object_that_cannot_be_deserialized_is_dead_lettered_at_once() throws Exception {
    assertDeadAtOnce(new InvalidClassException("Order"));
  }

  @Test
  void an_error_of_the_platform_around_it_changes_nothing() throws Exception {
    assertDeadAtOnce(new CompletionException(new UncheckedIOException(malformedJson())));
  }

  @Test
  void a_call_that_broke_off_while_json_was_read_from_it_is_tried_again() throws Exception {
    Closeable connection = () -> {};
    assertTriedAgain(new JsonMappingException(
        connection, "no order", new SocketTimeoutException("read timed out")));
  }

  @Test
  void a_value_that_does_not_fit_goes_to_the_dead_letters_after_one_attempt() throws Exception {
    assertDeadAtOnce(whileWriting(new NumberFormatException("x")));
  }

  @Test
  void a_list_that_changes_while_it_is_written_as_json_is_tried_again() throws Exception {
    assertTriedAgain(whileWriting(new ConcurrentModificationException()));
  }

  @Test
  void a_pool_without_a_connection_while_json_is_written_is_tried_again() throws Exception {
    assertTriedAgain(whileWriting(new SQLTransientConnectionException("no connection")));
  }

  @Test
  void a_timeout_inside_of_a_conversion_is_tried_again() throws Exception {
    assertTriedAgain(whileWriting(new TimeoutException("no schema within 5 s")));
  }

  @Test
  void an_interrupt_inside_of_a_conversion_is_tried_again() throws Exception {
    assertTriedAgain(whileWriting(new InterruptedException()));
  }

  @Test
  void memory_that_is_used_up_inside_of_a_conversion_is_tried_again() throws Exception {
    assertTriedAgain((Exception)
        new InvalidClassException("Order").initCause(new OutOfMemoryError("Java heap space")));
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

    Outcome outcome = receiver.receive(lane("p0", "a"), PATIENCE).get(0);

    assertThat(outcome).isInstanceOf(Outcome.Deferred.class);
    assertThat(buried).isEmpty();
  }

  @Test
  void an_error_of_the_application_around_it_is_tried_again() throws Exception {
    assertTriedAgain(new PriceServiceException(malformedJson()));
  }

  @Test
  void an_input_error_around_it_is_tried_again() throws Exception {
    assertTriedAgain(new IOException("the answer is no JSON", malformedJson()));
  }

  @Test
  void it_is_not_retryable_whatever_else_the_predicate_names() throws Exception {
    IdempotentReceiver<String> receiver = open(
        builder().notRetryable(IllegalStateException.class::isInstance).leased(marks, delivery -> {
          throw malformedJson();
        }));

    assertThat(receiver.receive(lane("p0", "a"), PATIENCE).get(0))
        .isInstanceOf(Outcome.DeadLettered.class);
  }
}
