package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.Resolution;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An id that another payload took first, and what an operator's decisions make of it. */
class HostageTest extends LeasedFixture {

  private void decide(String id, Resolution resolution) {
    Mark seen = mark(id);
    assertThat(marks.resolve(seen.key(), seen.claim().token(), seen.state(), resolution))
        .isTrue();
  }

  private void assertIsConflict(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried.remove(buried.size() - 1).kind()).isEqualTo(DeadLetter.Kind.CONFLICT);
  }

  /** The receiver of the next version, whose fingerprint is of more than the payload. */
  private IdempotentReceiver<String> withAnotherFingerprint() {
    return open(IdempotentReceiver.<String>builder(FaultFixture.SCOPE)
        .id(text -> Optional.of(Bytes.utf8(text.split("=", 2)[0])))
        .fingerprint(text -> Fingerprint.of(Bytes.utf8("v2 " + text).toByteArray()))
        .deadLetters(buried::add)
        .leased(store, this::record));
  }

  @Test
  void after_reopening_for_any_payload_the_other_payload_is_the_conflict() throws Exception {
    IdempotentReceiver<String> receiver = recording();
    receive(receiver, "order-1=forged");
    assertIsConflict(receiveOne(receiver, "order-1=genuine"));

    decide("order-1", Resolution.REOPEN_ANY_PAYLOAD);

    assertThat(receiveOne(receiver, "order-1=genuine")).isInstanceOf(Outcome.Executed.class);
    assertThat(effects).containsExactly("order-1=forged", "order-1=genuine");
    assertIsConflict(receiveOne(receiver, "order-1=forged"));
  }

  @Test
  void reopened_alone_the_genuine_message_is_still_a_conflict() throws Exception {
    IdempotentReceiver<String> receiver = recording();
    receive(receiver, "order-1=forged");

    decide("order-1", Resolution.REOPEN);

    assertIsConflict(receiveOne(receiver, "order-1=genuine"));
  }

  @Test
  void kept_as_done_for_any_payload_the_genuine_message_is_lost() throws Exception {
    IdempotentReceiver<String> receiver = recording();
    receive(receiver, "order-1=forged");

    decide("order-1", Resolution.DONE_ANY_PAYLOAD);

    assertThat(receiveOne(receiver, "order-1=genuine")).isInstanceOf(Outcome.Duplicate.class);
    assertThat(effects).as("the genuine message never ran").containsExactly("order-1=forged");
  }

  @Test
  void a_message_kept_as_done_does_not_run_under_a_new_fingerprint_function() throws Exception {
    receive(recording(), "order-1=pay");
    IdempotentReceiver<String> next = withAnotherFingerprint();
    assertIsConflict(receiveOne(next, "order-1=pay"));

    decide("order-1", Resolution.DONE_ANY_PAYLOAD);

    assertThat(receiveOne(next, "order-1=pay")).isInstanceOf(Outcome.Duplicate.class);
    assertThat(effects).containsExactly("order-1=pay");
  }

  @Test
  void a_reopened_message_runs_again_under_a_new_fingerprint_function() throws Exception {
    receive(recording(), "order-1=pay");
    IdempotentReceiver<String> next = withAnotherFingerprint();

    decide("order-1", Resolution.REOPEN_ANY_PAYLOAD);

    assertThat(receiveOne(next, "order-1=pay")).isInstanceOf(Outcome.Executed.class);
    assertThat(effects).containsExactly("order-1=pay", "order-1=pay");
  }
}
