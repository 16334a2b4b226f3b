package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hapax.DeadLetter.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Errors that say that a message cannot be converted, which no further attempt can mend. */
class ConversionErrorTest extends FaultFixture {

  private static final class PriceServiceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PriceServiceException(Throwable cause) {
      super("no usable answer", cause);
    }
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
  void a_text_that_is_no_object_of_its_class_goes_to_the_dead_letters_after_one_attempt()
      throws Exception {
    assertDeadAtOnce(catchThrowableOfType(
        JsonMappingException.class, () -> new ObjectMapper().readValue("[]", Integer.class)));
  }

  @Test
  void an_object_that_java_cannot_deserialize_goes_to_the_dead_letters_after_one_attempt()
      throws Exception {
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
