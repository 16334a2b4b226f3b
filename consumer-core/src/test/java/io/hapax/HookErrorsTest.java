package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a user's code throws may cost its message, but never holds anything back for ever. */
@DisplayName("invariant 14: whatever a hook throws, every message gets its outcome")
class HookErrorsTest extends FaultFixture {

  /** An exception as careless code makes them: it cannot even be printed. */
  private static final class Unprintable extends RuntimeException {
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

  private void once(Error error) {
    if (armed.getAndSet(false)) {
      throw error;
    }
  }

  @Test
  void an_error_of_the_id_extractor_is_treated_like_a_missing_id() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .id(text -> {
          once(new StackOverflowError("a deeply nested message"));
          return Optional.of(Bytes.utf8(text));
        })
        .leased(marks, delivery -> effects.add(delivery.message())));

    assertThat(receiver.submit(lane("p0", "a", "b"), (index, outcome) -> {}).await(PATIENCE))
        .isTrue();
  }

  @Test
  void an_id_extractor_whose_exception_cannot_be_printed_finds_no_id() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .id(text -> {
          throw new Unprintable();
        })
        .leased(marks, delivery -> effects.add(delivery.message())));

    assertThat(receiver.submit(lane("p0", "a"), (index, outcome) -> {}).await(PATIENCE))
        .isTrue();
    assertThat(buried).extracting(DeadLetter::kind).containsExactly(DeadLetter.Kind.MISSING_ID);
  }

  @Test
  void a_line_break_in_an_exception_reaches_neither_dead_letter_nor_health() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .retry(new RetrySettings(1, Duration.ofMinutes(1), Duration.ofMinutes(1)))
        .leased(marks, delivery -> {
          throw new IllegalStateException("no stock\r\n2026-11-24 INFO all is well\u0000");
        }));

    receiver.receive(lane("p0", "a"), PATIENCE);

    assertThat(buried)
        .singleElement()
        .satisfies(letter -> assertThat(letter.detail())
            .isEqualTo("java.lang.IllegalStateException: no stock 2026-11-24 INFO all is well"));
  }

  @Test
  void an_error_of_the_dead_letter_publisher_defers_the_message() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .id(text -> Optional.empty())
        .deadLetters(letter -> once(new NoClassDefFoundError("Serializer")))
        .leased(marks, delivery -> {}));

    assertThat(receiver.submit(lane("p0", "a"), (index, outcome) -> {}).await(PATIENCE))
        .isTrue();
  }

  @Test
  void an_exception_that_cannot_be_printed_is_a_failed_attempt_like_any_other() throws Exception {
    IdempotentReceiver<String> receiver = open(builder().leased(marks, delivery -> {
      throw new Unprintable();
    }));

    Outcome outcome = receiver.receive(lane("p0", "a"), PATIENCE).get(0);

    assertThat(((Outcome.Deferred) outcome).reason()).isEqualTo(Outcome.Reason.RETRY);
  }

  @Test
  void an_exception_without_a_text_does_not_block_the_settler() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .retry(new RetrySettings(1, Duration.ofMinutes(1), Duration.ofMinutes(1)))
        .leased(marks, delivery -> {
          if (delivery.message().equals("a")) {
            throw new Textless();
          }
        }));
    Submission poison = receiver.submit(lane("p0", "a"), (index, outcome) -> {});
    poison.await(Duration.ofMillis(200));

    Submission innocent = receiver.submit(lane("p1", "b"), (index, outcome) -> {});

    assertThat(innocent.await(PATIENCE)).isTrue();
    assertThat(poison.await(PATIENCE)).isTrue();
  }

  @Test
  void an_error_of_the_listener_does_not_stop_the_settler() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .listener(new ReceiverListener() {
          @Override
          public void onOutcome(String coordinates, Outcome outcome) {
            once(new NoSuchMethodError("a metrics library of another version"));
          }
        })
        .leased(marks, delivery -> effects.add(delivery.message())));
    Submission first = receiver.submit(lane("p0", "a"), (index, outcome) -> {});
    first.await(Duration.ofMillis(200));

    Submission second = receiver.submit(lane("p1", "b"), (index, outcome) -> {});

    assertThat(second.await(PATIENCE)).isTrue();
    assertThat(first.await(PATIENCE)).isTrue();
  }

  @Test
  void an_error_of_the_listener_does_not_stop_a_claim() throws Exception {
    IdempotentReceiver<String> failing = open(builder().leased(marks, delivery -> {
      throw new IllegalStateException("the effect is in doubt now");
    }));
    failing.receive(lane("p0", "a"), PATIENCE);
    clock.advance(Duration.ofMinutes(2));
    IdempotentReceiver<String> receiver = open(builder()
        .listener(new ReceiverListener() {
          @Override
          public void onRecovery(MessageKey key, ClaimAnswer.Acquired acquired) {
            once(new NoSuchMethodError("a metrics library of another version"));
          }
        })
        .leased(marks, delivery -> effects.add(delivery.message())));

    assertThat(receiver.submit(lane("p0", "a"), (index, outcome) -> {}).await(PATIENCE))
        .isTrue();
  }

  @Test
  void an_exception_of_the_sink_blocks_neither_its_batch_nor_later_copies() throws Exception {
    IdempotentReceiver<String> receiver =
        open(builder().leased(marks, delivery -> effects.add(delivery.message())));
    List<Incoming<String>> batch = both(lane("p0", "a"), lane("p1", "a", "b"));

    Submission submission = receiver.submit(batch, (index, outcome) -> {
      if (index == 0) {
        throw new IllegalStateException("the adapter's bookkeeping is broken");
      }
    });

    assertThat(submission.await(PATIENCE)).isTrue();
  }

  @Test
  @SuppressWarnings("NullAway")
  void a_missing_fingerprint_is_no_store_outage() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .fingerprint(text -> null)
        .leased(marks, delivery -> effects.add(delivery.message())));
    receiver.receive(lane("p0", "a"), PATIENCE);

    assertThat(receiver.submit(lane("p0", "a"), (index, outcome) -> {}).await(PATIENCE))
        .isTrue();
  }
}
