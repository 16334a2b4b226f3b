package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeferralsTest {

  @Test
  void the_wait_for_a_busy_mark_is_what_is_left_of_its_lease() {
    Duration left = Duration.ofSeconds(20);

    assertThat(Deferrals.busy(left).after()).isEqualTo(left);
    assertThat(Deferrals.busy(left).detail()).isEmpty();
  }

  @Test
  void a_mark_that_is_busy_for_days_is_claimed_again_within_minutes() {
    assertThat(Deferrals.busy(Duration.ofDays(2)).after()).isEqualTo(Deferrals.MAX_BUSY);
    assertThat(Deferrals.busy(Duration.ofDays(2)).detail()).contains("PT48H");
  }
}
