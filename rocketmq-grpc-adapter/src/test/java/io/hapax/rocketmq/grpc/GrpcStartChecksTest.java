package io.hapax.rocketmq.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.LeaseSettings;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Settings that do not fit each other. */
@Timeout(300)
class GrpcStartChecksTest extends WithProxy {

  private static void refused(ThrowingCallable start, String complaint) {
    assertThatThrownBy(start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void a_refusal_names_the_setting_its_value_and_the_rule() throws Exception {
    create();
    RocketMqGrpcReceiver.Builder builder = receiving(open(builder().leased(store, delivery -> {})));

    refused(() -> builder.receptions(0).start(), "receptions is 0 but must be at least 1");
    builder.receptions(2);
    refused(
        () -> builder.window(1).start(),
        "window is 1 but must not be less than receptions, which is 2");
    builder.window(2);
    refused(
        () -> builder.drainTimeout(Duration.ofSeconds(-1)),
        "drainTimeout is PT-1S but must not be negative");
    refused(
        () -> builder.retryMaxTimes(2),
        "retryMaxTimes is 2 but must be at least the receiver's maxAttempts 3");
    refused(
        () -> builder.invisibleDuration(SECOND).start(),
        "invisibleDuration is PT1S but must not be less than the receiver's lease PT2S");
  }

  @Test
  void an_invisible_duration_keeps_to_what_proxies_allow() {
    refused(
        () -> new Visibility(Duration.ofSeconds(9), Visibility.SHORTEST),
        "invisibleDuration is PT9S but must be from shortestInvisible, which is PT10S, to PT12H");
    refused(
        () -> new Visibility(Duration.ofHours(13), Visibility.SHORTEST),
        "invisibleDuration is PT13H but must be from shortestInvisible");
    refused(
        () -> new Visibility(SECOND, Duration.ZERO),
        "shortestInvisible is PT0S but must be positive");
  }

  @Test
  void a_message_is_hidden_for_what_it_has_to_wait_as_far_as_proxies_allow() {
    LeaseSettings lease = LeaseSettings.of(Duration.ofSeconds(30));
    Visibility standard = Visibility.of(lease, Visibility.SHORTEST).notBelow(lease);

    assertThat(standard.invisible()).isEqualTo(lease.lease());
    assertThat(Visibility.of(LeaseSettings.of(SECOND), Visibility.SHORTEST).invisible())
        .isEqualTo(Visibility.SHORTEST);
    assertThat(standard.hidden(Duration.ZERO)).isEqualTo(Visibility.SHORTEST);
    assertThat(standard.hidden(Duration.ofMinutes(1))).isEqualTo(Duration.ofMinutes(1));
    assertThat(standard.hidden(Duration.ofDays(1))).isEqualTo(Duration.ofHours(12));
  }
}
