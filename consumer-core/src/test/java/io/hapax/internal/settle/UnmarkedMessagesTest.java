package io.hapax.internal.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.adapter.Outcome;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnmarkedMessagesTest {

  private final List<DeadLetter<String>> buried = new ArrayList<>();
  private final TestSettings settings = new TestSettings();

  @BeforeEach
  void bury() {
    settings.deadLetters = Optional.of(buried::add);
  }

  private Outcome finish(String text) {
    TestSettling parts = new TestSettling(settings);
    InFlightMessage<String> message = parts.messages.read(settings, text).get(0);
    var unused = parts.unmarked.finish(message);
    return message.outcome().orElseThrow();
  }

  @Test
  void a_message_without_id_is_dead_lettered_or_stops_its_lane() {
    assertThat(finish("?")).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).extracting(DeadLetter::kind).containsExactly(DeadLetter.Kind.MISSING_ID);

    settings.missingIds = MissingIdPolicy.FAIL;

    assertThat(finish("?")).extracting("reason").isEqualTo(Outcome.Reason.MISSING_ID);
    assertThat(buried).hasSize(1);
  }

  @Test
  void a_message_without_fingerprint_is_dead_lettered_or_stops_its_lane() {
    assertThat(finish("A!")).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried)
        .extracting(DeadLetter::kind)
        .containsExactly(DeadLetter.Kind.MISSING_FINGERPRINT);

    settings.missingFingerprints = MissingFingerprintPolicy.FAIL;

    assertThat(finish("A!")).extracting("reason").isEqualTo(Outcome.Reason.MISSING_FINGERPRINT);
    assertThat(buried).hasSize(1);
  }
}
