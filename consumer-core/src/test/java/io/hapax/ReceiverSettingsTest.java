package io.hapax;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.Incoming;
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
    assertThatThrownBy(
            () -> new LeaseSettings(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO))
        .hasMessageContaining("renewInterval is PT1S");
    assertThatThrownBy(() -> new RetrySettings(0, Duration.ofSeconds(1), Duration.ofSeconds(1)))
        .hasMessageContaining("maxAttempts is 0");
    assertThatThrownBy(() -> builder().workers(0).leased(marks, delivery -> {}))
        .hasMessageContaining("workers is 0");
    assertThatThrownBy(() -> IdempotentReceiver.<String>builder(" ")
            .noFingerprint()
            .id(t -> Optional.empty())
            .leased(marks, d -> {}))
        .hasMessageContaining("scope");
  }

  @Test
  void durations_that_no_clock_can_count_are_refused_by_name_value_and_rule() {
    Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
    Duration second = Duration.ofSeconds(1);
    refused("lease", () -> LeaseSettings.of(endless));
    refused("renewInterval", () -> new LeaseSettings(second, endless, Duration.ZERO));
    refused("margin", () -> new LeaseSettings(second, Duration.ofMillis(10), endless));
    refused("maxBackoff", () -> new RetrySettings(3, second, endless));
    refused("firstBackoff", () -> new RetrySettings(3, endless, endless));
    refused("maxDeferral", () -> RetrySettings.DEFAULT.withMaxDeferral(endless));
    refused("timeout", () -> new ProbeSettings(endless, second));
    refused("quiet", () -> new ProbeSettings(second, endless));
    refused("retention", () -> new InMemoryDedupStore(clock, endless));
    refused("handlerTimeout", () -> builder().handlerTimeout(endless).leased(marks, d -> {}));
    refused("deadLetterTimeout", () -> builder().deadLetterTimeout(endless).leased(marks, d -> {}));
    refused(
        "patience", () -> IdempotentExecutor.builder("jobs").patience(endless).leased(marks));
  }

  private static void refused(String setting, ThrowingCallable building) {
    assertThatThrownBy(building)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            setting + " is PT2562047788015215H30M7S but must be at most a hundred");
  }

  @Test
  void a_store_that_forgets_before_the_lease_ends_is_refused() {
    InMemoryDedupStore forgetful = new InMemoryDedupStore(clock, Duration.ofSeconds(30));
    assertThatThrownBy(() -> builder().leased(forgetful, delivery -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lease is PT30S but must be less than the retention");
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

    assertThatThrownBy(() -> silent.leased(marks, delivery -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fingerprint is not set but is required");
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
