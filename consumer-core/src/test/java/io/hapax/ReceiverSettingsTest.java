package io.hapax;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.Incoming;
import io.hapax.errors.DeferredException;
import io.hapax.mark.Bytes;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a receiver refuses when it is built, each by the setting's name, its value and the rule. */
class ReceiverSettingsTest extends FaultFixture {

  @Test
  void wrong_settings_are_refused_by_name_value_and_rule() {
    Duration second = Duration.ofSeconds(1);
    refused("renewInterval is PT1S", () -> new LeaseSettings(second, second, Duration.ZERO));
    refused("maxAttempts is 0", () -> new RetrySettings(0, second, second));
    refused("workers is 0", () -> builder().workers(0).leased(marks, it -> {}));
    refused(
        "scope",
        () -> IdempotentReceiver.<String>builder(" ")
            .noFingerprint()
            .id(t -> Optional.empty())
            .leased(marks, it -> {}));
    refused(
        "handlerTimeout is PT0S but must be positive",
        () -> builder().handlerTimeout(Duration.ZERO).leased(marks, it -> {}));
    refused(
        "deadLetterTimeout is PT0S but must be positive",
        () -> builder().deadLetterTimeout(Duration.ZERO).leased(marks, it -> {}));
    refused(
        "resultLimit is 65537 bytes but must be 0 to 65536",
        () -> builder().resultLimit(65_537).leased(marks, it -> {}));
    refused("maxDeferral", () -> RetrySettings.DEFAULT.withMaxDeferral(Duration.ofSeconds(-1)));
    refused("must not be negative", () -> new DeferredException(Duration.ofSeconds(-1)));
  }

  @Test
  void wrong_settings_of_an_executor_are_refused() {
    refused(
        "patience is PT0S but must be positive",
        () -> IdempotentExecutor.builder("jobs").patience(Duration.ZERO).leased(marks));
    refused(
        "resultLimit is 65536 bytes but must be 0 to 65535",
        () -> IdempotentExecutor.builder("jobs").resultLimit(65_536).leased(marks));
  }

  @Test
  void wrong_settings_of_the_count_of_stale_marks_are_refused() {
    Duration often = Duration.ofMillis(10);
    refused("interval is PT0.009S", () -> new StaleMarkSettings(Duration.ofMillis(9), 1));
    refused("interval is PT48H", () -> new StaleMarkSettings(Duration.ofDays(2), 1));
    refused("limit is 0", () -> new StaleMarkSettings(often, 0));
    refused(
        "either both must be set or neither", () -> new StaleMarks(1, 0, true, Optional.empty()));
  }

  @Test
  void durations_that_no_clock_can_count_are_refused_by_name_value_and_rule() {
    Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
    Duration second = Duration.ofSeconds(1);
    tooLong("lease", () -> LeaseSettings.of(endless));
    tooLong("renewInterval", () -> new LeaseSettings(second, endless, Duration.ZERO));
    tooLong("margin", () -> new LeaseSettings(second, Duration.ofMillis(10), endless));
    tooLong("maxBackoff", () -> new RetrySettings(3, second, endless));
    tooLong("firstBackoff", () -> new RetrySettings(3, endless, endless));
    tooLong("maxDeferral", () -> RetrySettings.DEFAULT.withMaxDeferral(endless));
    tooLong("timeout", () -> new ProbeSettings(endless, second));
    tooLong("quiet", () -> new ProbeSettings(second, endless));
    tooLong("retention", () -> new InMemoryDedupStore(clock, endless));
    tooLong("handlerTimeout", () -> builder().handlerTimeout(endless).leased(marks, d -> {}));
    tooLong("deadLetterTimeout", () -> builder().deadLetterTimeout(endless).leased(marks, d -> {}));
    tooLong(
        "patience", () -> IdempotentExecutor.builder("jobs").patience(endless).leased(marks));
  }

  private static void refused(String problem, ThrowingCallable building) {
    assertThatThrownBy(building)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  private static void tooLong(String setting, ThrowingCallable building) {
    refused(setting + " is PT2562047788015215H30M7S but must be at most a hundred", building);
  }

  @Test
  void a_store_that_forgets_before_the_lease_ends_is_refused() {
    InMemoryDedupStore forgetful = new InMemoryDedupStore(clock, Duration.ofSeconds(30));
    refused(
        "lease is PT30S but must be less than the retention",
        () -> builder().leased(forgetful, delivery -> {}));
  }

  @Test
  void one_attempt_is_refused_for_a_handler_of_many_messages() {
    RetrySettings once = new RetrySettings(1, Duration.ofSeconds(1), Duration.ofSeconds(1));

    assertThatThrownBy(() -> builder().retry(once).leasedBatches(marks, deliveries -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxAttempts of retry is 1 but must be at least 2 for a batch handler in leased"
            + " mode: a failed call uses an attempt of each of its messages, and only the next"
            + " attempt, which runs each message alone, shows which of them fails");
  }

  @Test
  @DisplayName("invariant 11: comparing no payloads must be configured explicitly")
  void a_receiver_without_a_payload_comparison_setting_is_refused() {
    ReceiverBuilder<String> silent =
        IdempotentReceiver.<String>builder("orders").id(text -> Optional.of(Bytes.utf8(text)));

    refused("fingerprint is not set but is required", () -> silent.leased(marks, delivery -> {}));
  }

  @Test
  @SuppressWarnings("NullAway")
  void a_message_without_coordinates_is_refused_before_it_is_claimed() {
    assertThatThrownBy(() -> new Incoming<>("a", "p0", null, false))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("coordinates");
  }

  @Test
  @SuppressWarnings("NullAway")
  void a_policy_without_a_probe_is_refused_before_a_message_is_in_doubt() {
    assertThatThrownBy(() -> new UnknownOutcomePolicy.Probe<>(null, ProbeSettings.DEFAULT))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("probe");
  }
}
