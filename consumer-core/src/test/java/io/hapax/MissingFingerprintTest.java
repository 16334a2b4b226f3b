package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.policy.MissingFingerprintPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages whose payload cannot be compared with another one under their id. */
@DisplayName("invariant 11: the same id with another payload is never acknowledged silently")
class MissingFingerprintTest extends FaultFixture {

  private volatile boolean readable;

  /** A payload with a question mark cannot be read, or not yet. */
  private ReceiverBuilder<String> comparing() {
    return builder().fingerprint(text -> {
      if (text.endsWith("?") && !readable) {
        throw new IllegalStateException("no such schema");
      }
      return Fingerprint.of(Bytes.utf8(text).toByteArray());
    });
  }

  private IdempotentReceiver<String> receiver(ReceiverBuilder<String> builder) {
    return open(builder.leased(marks, delivery -> effects.add(delivery.message())));
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

    List<Outcome> outcomes = receiver.receive(lane("p0", "a=1", "a=2?", "b=1"), PATIENCE);

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

    receiver.receive(lane("p0", "a=1?", "b=1"), PATIENCE);

    assertBuried("a=1?", "a");
    assertThat(effects).containsExactly("b=1");
    assertThat(marks.find(List.of(key("a"))).get(0)).isEmpty();
  }

  @Test
  void so_it_is_while_the_first_of_its_id_runs() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = open(comparing().leased(marks, delivery -> {
      running.countDown();
      goesOn.await();
    }));
    Submission first = receiver.submit(lane("p0", "a=1"), new Outcomes(1));
    running.await();

    List<Outcome> outcomes = receiver.receive(lane("p1", "a=2?"), PATIENCE);
    goesOn.countDown();

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.DeadLettered.class);
    assertThat(first.await(PATIENCE)).isTrue();
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
    receiver.receive(lane("p0", "a=1?"), PATIENCE);
    clock.advance(Duration.ofMinutes(2));

    readable = false;
    receiver.receive(lane("p0", "a=1?"), PATIENCE);
    assertBuried("a=1?", "a");
    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);

    readable = true;
    receiver.receive(lane("p0", "a=1?"), PATIENCE);
    assertThat(attempts).containsExactly(1, 2);
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void it_stops_its_lane_until_a_fingerprint_can_be_made() throws Exception {
    IdempotentReceiver<String> receiver =
        receiver(comparing().missingFingerprint(MissingFingerprintPolicy.FAIL));

    List<Outcome> outcomes = receiver.receive(lane("p0", "a=1?", "b=1"), PATIENCE);

    assertThat(outcomes)
        .extracting(it -> ((Outcome.Deferred) it).reason())
        .containsExactly(Outcome.Reason.MISSING_FINGERPRINT, Outcome.Reason.BLOCKED);
    assertThat(((Outcome.Deferred) outcomes.get(0)).after()).isEqualTo(Duration.ofMinutes(10));
    assertThat(receiver.problems()).asString().contains("p0@0 has no fingerprint");
    assertThat(effects).isEmpty();

    readable = true;
    receiver.receive(lane("p0", "a=1?", "b=1"), PATIENCE);
    assertThat(effects).containsExactly("a=1?", "b=1");
    assertThat(buried).isEmpty();
  }

  @Test
  void the_problem_of_a_lane_ends_once_a_fingerprint_can_be_made() throws Exception {
    IdempotentReceiver<String> receiver =
        receiver(comparing().missingFingerprint(MissingFingerprintPolicy.FAIL));
    receiver.receive(lane("p0", "a=1?"), PATIENCE);
    assertThat(receiver.health().well()).isFalse();

    readable = true;
    receiver.receive(lane("p0", "a=1?"), PATIENCE);

    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  void it_is_not_compared_if_the_user_says_so() throws Exception {
    IdempotentReceiver<String> receiver =
        receiver(comparing().missingFingerprint(MissingFingerprintPolicy.NOT_COMPARED));

    List<Outcome> outcomes = receiver.receive(lane("p0", "a=1", "a=2?", "b=1?"), PATIENCE);

    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(effects).containsExactly("a=1", "b=1?");
    assertThat(buried).isEmpty();
  }
}
