package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.runtime.EngineSettings.Reading;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import io.hapax.policy.TooOldPolicy;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class MessageReaderTest {

  private final TestSettings settings = new TestSettings();
  private final TestMessages messages = new TestMessages();

  private InFlightMessage<String> read(String text) {
    return messages.read(settings, text).get(0);
  }

  private InFlightMessage<String> readBy(Function<String, Optional<Bytes>> ids) {
    Reading<String> reading = new Reading<>(
        ids::apply,
        MissingIdPolicy.DEAD_LETTER,
        text -> Fingerprint.NONE,
        MissingFingerprintPolicy.DEAD_LETTER,
        Optional.empty(),
        TooOldPolicy.PROCESS);
    ActiveSubmission<String> submission =
        new ActiveSubmission<>(messages.outcomes, (index, outcome) -> {}, 1, messages.threads);
    Incoming<String> incoming = new Incoming<>("A", "p0", "p0@0", false);
    return new MessageReader<>("orders", reading, messages.events)
        .read(submission, List.of(incoming))
        .get(0);
  }

  @Test
  void a_message_with_id_and_fingerprint_may_own_a_mark() {
    InFlightMessage<String> message = read("A=1");

    assertThat(message.markable).isTrue();
    assertThat(message.key()).hasValue(MessageKey.of("orders", "A"));
    assertThat(message.fingerprint).isEqualTo(Fingerprint.of(Bytes.utf8("A=1").toByteArray()));
  }

  @Test
  void coordinates_replace_a_missing_id_only_by_policy() {
    assertThat(read("?").key()).isEmpty();
    assertThat(read("?").markable).isFalse();

    settings.missingIds = MissingIdPolicy.COORDINATES;

    assertThat(read("?").markable).isTrue();
  }

  @Test
  void a_message_without_fingerprint_may_own_a_mark_only_if_none_are_compared() {
    assertThat(read("A!").markable).isFalse();

    settings.missingFingerprints = MissingFingerprintPolicy.NOT_COMPARED;

    assertThat(read("A!").markable).isTrue();
    assertThat(read("A!").fingerprint).isEqualTo(Fingerprint.NONE);
  }

  @Test
  void an_extractor_that_throws_counts_as_a_missing_id() {
    InFlightMessage<String> message = readBy(text -> {
      throw new StackOverflowError();
    });

    assertThat(message.markable).isFalse();
    assertThat(message.givenUpFor()).isEmpty();
  }

  @Test
  void a_message_that_is_read_without_memory_is_given_up() {
    InFlightMessage<String> message = readBy(text -> {
      throw new OutOfMemoryError("Java heap space");
    });

    assertThat(message.givenUpFor())
        .hasValueSatisfying(
            it -> assertThat(it).hasFieldOrPropertyWithValue("reason", Reason.INTERNAL_ERROR));
  }

  @Test
  void a_message_whose_reading_was_interrupted_is_given_up() {
    InFlightMessage<String> message = readBy(text -> {
      throw new IllegalStateException(new InterruptedException());
    });

    assertThat(message.givenUpFor()).hasValue(Deferrals.ABANDONED);
  }
}
