package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.errors.NotAppliedException;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.policy.MissingFingerprintPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages whose payload cannot be compared with another one under their id. */
@DisplayName("invariant 11: the same id with another payload is never acknowledged silently")
class MissingFingerprintTest extends FaultFixture {

  private volatile boolean readable;

  /** A payload with a question mark cannot be read, or not yet; another one has no fingerprint. */
  @SuppressWarnings("NullAway")
  private ReceiverBuilder<String> comparing() {
    return builder().fingerprint(text -> {
      if (text.endsWith("=none")) {
        return null;
      }
      if (text.endsWith("?") && !readable) {
        throw new IllegalStateException("no such schema");
      }
      return Fingerprint.of(Bytes.utf8(text).toByteArray());
    });
  }

  private IdempotentReceiver<String> receiver(ReceiverBuilder<String> builder) {
    return open(builder.leased(marks, this::record));
  }

  private void assertBuried(String message, String id) {
    assertThat(buried).singleElement().satisfies(letter -> {
      assertThat(letter.kind()).isEqualTo(DeadLetter.Kind.MISSING_FINGERPRINT);
      assertThat(letter.message()).isEqualTo(message);
      assertThat(letter.messageId()).isEqualTo(id);
    });
  }

  @Test
  void it_is_no_duplicate_of_what_is_done_but_is_dead_lettered() throws Exception {
    IdempotentReceiver<String> receiver = receiver(comparing());

    List<Outcome> outcomes = receive(receiver, "a=1", "a=2?", "b=1");

    assertThat(outcomes.get(1)).isInstanceOf(Outcome.DeadLettered.class);
    assertBuried("a=2?", "a");
    assertThat(effects).containsExactly("a=1", "b=1");
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }

  static List<UnknownOutcomePolicy<String>> policies() {
    return List.of(UnknownOutcomePolicy.rerun(), UnknownOutcomePolicy.deadLetter());
  }

  @ParameterizedTest
  @MethodSource("policies")
  void it_does_not_run_though_its_id_is_new(UnknownOutcomePolicy<String> policy) throws Exception {
    IdempotentReceiver<String> receiver = receiver(comparing().onUnknownOutcome(policy));

    for (String unreadable : List.of("a=1?", "a=none")) {
      buried.clear();
      receive(receiver, unreadable, "b=1");

      assertBuried(unreadable, "a");
      assertThat(state("a")).isEmpty();
    }
    assertThat(effects).containsExactly("b=1");
  }

  @Test
  void so_it_is_while_the_first_of_its_id_runs() throws Exception {
    Gate handler = new Gate();
    IdempotentReceiver<String> receiver =
        open(comparing().leased(marks, delivery -> handler.pass()));
    Submission first = receiver.submit(lane("p0", "a=1"), new Outcomes(1));
    handler.awaitReached();

    List<Outcome> outcomes = receiver.receive(lane("p1", "a=2?"), PATIENCE);
    handler.open();

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.DeadLettered.class);
    awaitAll(first);
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void a_retry_mark_waits_and_continues_once_its_message_can_be_compared() throws Exception {
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> receiver = open(comparing().leased(marks, delivery -> {
      attempts.add(delivery.attempt());
      if (delivery.attempt() == 1) {
        throw new IllegalStateException("downstream is away");
      }
    }));
    readable = true;
    receive(receiver, "a=1?");
    clock.advance(Duration.ofMinutes(2));

    readable = false;
    receive(receiver, "a=1?");
    assertBuried("a=1?", "a");
    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);

    readable = true;
    receive(receiver, "a=1?");
    assertThat(attempts).containsExactly(1, 2);
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void it_stops_its_lane_until_a_fingerprint_can_be_made() throws Exception {
    IdempotentReceiver<String> receiver =
        receiver(comparing().missingFingerprint(MissingFingerprintPolicy.FAIL));

    List<Outcome> outcomes = receive(receiver, "a=1?", "b=1");

    assertThat(outcomes)
        .extracting(it -> ((Outcome.Deferred) it).reason())
        .containsExactly(Outcome.Reason.MISSING_FINGERPRINT, Outcome.Reason.BLOCKED);
    assertThat(((Outcome.Deferred) outcomes.get(0)).after()).isEqualTo(Duration.ofMinutes(10));
    assertThat(receiver.problems()).asString().contains("p0@0 has no fingerprint");
    assertThat(effects).isEmpty();

    readable = true;
    receive(receiver, "a=1?", "b=1");
    assertThat(effects).containsExactly("a=1?", "b=1");
    assertThat(buried).isEmpty();
    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  void it_is_not_compared_if_the_user_says_so() throws Exception {
    IdempotentReceiver<String> receiver =
        receiver(comparing().missingFingerprint(MissingFingerprintPolicy.NOT_COMPARED));

    List<Outcome> outcomes = receive(receiver, "a=1", "a=2?", "b=1?");

    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(effects).containsExactly("a=1", "b=1?");
    assertThat(buried).isEmpty();
  }

  @Test
  @DisplayName("invariant 11: same id, different payload: never acknowledged silently")
  void a_fingerprint_once_known_survives_an_attempt_that_has_none() throws Exception {
    IdempotentReceiver<String> receiver = open(comparing()
        .missingFingerprint(MissingFingerprintPolicy.NOT_COMPARED)
        .leased(marks, delivery -> {
          if (delivery.attempt() == 1) {
            throw new NotAppliedException("gateway down");
          }
        }));
    readable = true;
    receive(receiver, "a=1?");
    clock.advance(Duration.ofMinutes(2));
    readable = false;
    receive(receiver, "a=1?");

    List<Outcome> other = receive(receiver, "a=2");

    assertThat(other.get(0)).isInstanceOf(Outcome.DeadLettered.class);
  }
}
