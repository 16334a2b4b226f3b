package io.hapax.internal.settle;

import static io.hapax.internal.message.TestMessages.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import io.hapax.mark.Attempt;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.MessageKey;
import io.hapax.policy.TooOldPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MessageAgesTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration RETENTION = Duration.ofDays(8);
  private static final Instant OLDEST = NOON.minus(RETENTION);
  private static final Attempt SECOND = new Attempt(2, false, true, false);

  private final TestMessages messages = new TestMessages();
  private final MessageAges<String> ages =
      new MessageAges<>(messages.events, TooOldPolicy.DEAD_LETTER, RETENTION);

  private InFlightMessage<String> sent(long millis) {
    return InFlightMessage.unmarked(
        messages.message("A").batch,
        0,
        new Incoming<>("A", "p0", "p0@0", false, millis),
        Optional.of(MessageKey.of("orders", "A")));
  }

  /** Returns whether a message is refused whose lease ends at noon by the store's clock. */
  private boolean refused(long sentMillis, Attempt attempt, Kind kind) {
    InFlightMessage<String> message = sent(sentMillis);
    Acquired acquired =
        new Acquired(TestMessages.acquired(message, attempt).claim(), kind, NOON, Optional.empty());
    return ages.refuses(message, acquired);
  }

  @Test
  void a_message_that_may_run_after_its_mark_was_forgotten_is_refused() {
    assertThat(refused(OLDEST.toEpochMilli(), FIRST, Kind.FRESH)).isFalse();
    assertThat(refused(OLDEST.toEpochMilli() - 1, FIRST, Kind.FRESH)).isTrue();
  }

  @Test
  void a_retry_is_not_too_old_because_its_mark_exists() {
    assertThat(refused(0, SECOND, Kind.RETRY)).isFalse();
    assertThat(refused(0, SECOND, Kind.TAKEOVER)).isTrue();
  }

  @Test
  void a_message_of_unknown_age_runs() {
    assertThat(refused(Incoming.NO_TIMESTAMP, FIRST, Kind.FRESH)).isFalse();
  }

  @Test
  void by_default_an_old_message_runs() {
    InFlightMessage<String> old = sent(0);

    assertThat(new MessageAges<String>(messages.events, TooOldPolicy.PROCESS, RETENTION)
            .refuses(
                old,
                new Acquired(
                    TestMessages.acquired(old, FIRST).claim(), Kind.FRESH, NOON, Optional.empty())))
        .isFalse();
  }
}
