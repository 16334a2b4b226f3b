package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MessageKey;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a user's code throws may cost its message, but never holds anything back for ever. */
@DisplayName("invariant 14: whatever a hook throws, every message gets its outcome")
class HookErrorsTest extends FaultFixture {

  /** An exception as careless code makes them: it cannot even be printed. */
  static final class Unprintable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("field is null");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("field is null");
    }
  }

  /** An exception without a text. */
  private static final class Textless extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    @SuppressWarnings({"NullAway", "OverrideThrowableToString", "ToStringReturnsNull"})
    public String toString() {
      return null;
    }
  }

  private final AtomicBoolean armed = new AtomicBoolean(true);

  static List<Throwable> thrownBeforeTheSettlerGoesOn() {
    return List.of(
        new NoSuchMethodError("a metrics library of another version"),
        new IllegalStateException("the adapter's bookkeeping is broken"),
        new IOException("of code in another language, whose signature declares nothing"));
  }

  private void once(Error error) {
    if (armed.getAndSet(false)) {
      throw error;
    }
  }

  static Stream<Arguments> thrownByHandlers() {
    return Stream.of(
        arguments(new Unprintable(), Unprintable.class.getName()),
        arguments(new Textless(), Textless.class.getName()),
        arguments(
            new IllegalStateException("no stock\r\n2026-11-24 INFO all is well\u0000"),
            "java.lang.IllegalStateException: no stock 2026-11-24 INFO all is well"));
  }

  @ParameterizedTest
  @MethodSource("thrownByHandlers")
  void whatever_a_handler_throws_is_dead_lettered_with_one_line(Exception thrown, String detail)
      throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .retry(new RetrySettings(1, Duration.ofMinutes(1), Duration.ofMinutes(1)))
        .leased(marks, delivery -> {
          if (delivery.message().equals("a")) {
            throw thrown;
          }
        }));

    List<Outcome> outcomes = receiver.receive(both(lane("p0", "a"), lane("p1", "b")), PATIENCE);

    assertThat(outcomes)
        .hasExactlyElementsOfTypes(Outcome.DeadLettered.class, Outcome.Executed.class);
    assertThat(buried).extracting(DeadLetter::detail).containsExactly(detail);
  }

  @Test
  void an_error_of_the_dead_letter_publisher_defers_the_message() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .id(text -> Optional.empty())
        .deadLetters(letter -> once(new NoClassDefFoundError("Serializer")))
        .leased(marks, delivery -> {}));

    awaitAll(receiver.submit(lane("p0", "a"), IGNORED));
  }

  @Test
  void an_error_of_the_listener_does_not_stop_a_claim() throws Exception {
    IdempotentReceiver<String> failing = open(
        builder().leased(marks, throwing(new IllegalStateException("the effect is in doubt now"))));
    receive(failing, "a");
    clock.advance(Duration.ofMinutes(2));
    IdempotentReceiver<String> receiver = open(builder()
        .listener(new ReceiverListener() {
          @Override
          public void onRecovery(MessageKey key, ClaimAnswer.Acquired acquired) {
            once(new NoSuchMethodError("a metrics library of another version"));
          }
        })
        .leased(marks, this::record));

    awaitAll(receiver.submit(lane("p0", "a"), IGNORED));
  }

  @ParameterizedTest
  @MethodSource("thrownBeforeTheSettlerGoesOn")
  void what_a_listener_throws_does_not_stop_the_settler(Throwable thrown) throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .listener(new ReceiverListener() {
          @Override
          public void onOutcome(String coordinates, Outcome outcome) {
            throw FaultFixture.<RuntimeException>sneaky(thrown);
          }
        })
        .leased(marks, this::record));

    awaitAll(receiver.submit(lane("p0", "a"), IGNORED), receiver.submit(lane("p1", "b"), IGNORED));
    assertThat(receiveOne(receiver, "c")).isInstanceOf(Outcome.Executed.class);
  }

  @ParameterizedTest
  @MethodSource("thrownBeforeTheSettlerGoesOn")
  void what_a_sink_throws_blocks_neither_its_batch_nor_later_copies(Throwable thrown)
      throws Exception {
    IdempotentReceiver<String> receiver = open(builder().leased(marks, this::record));
    List<Incoming<String>> batch = both(lane("p0", "a"), lane("p1", "a", "b"));

    awaitAll(receiver.submit(batch, (index, outcome) -> {
      throw FaultFixture.<RuntimeException>sneaky(thrown);
    }));
    assertThat(effects).containsExactlyInAnyOrder("a", "b");
    assertThat(receiveOne(receiver, "c")).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void neither_the_publisher_nor_the_next_handler_starts_interrupted() throws Exception {
    List<String> interrupted = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> receiver = open(builder()
        .retry(new RetrySettings(1, Duration.ofMinutes(1), Duration.ofMinutes(1)))
        .deadLetters(letter -> {
          if (Thread.currentThread().isInterrupted()) {
            interrupted.add("publisher");
          }
        })
        .leased(marks, delivery -> {
          if (Thread.currentThread().isInterrupted()) {
            interrupted.add("handler of " + delivery.message());
          }
          if (delivery.message().equals("a")) {
            throw new InterruptedException("a client library's own future was cancelled");
          }
        }));

    receive(receiver, "a", "b");

    assertThat(interrupted).isEmpty();
  }
}
