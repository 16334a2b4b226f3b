package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DelayLevelsTest {

  @Test
  void a_wait_gets_the_shortest_delay_that_is_not_below_it() {
    assertThat(DelayLevels.DEFAULT.atLeast(Duration.ZERO)).isEqualTo(1);
    assertThat(DelayLevels.DEFAULT.atLeast(Duration.ofSeconds(1))).isEqualTo(1);
    assertThat(DelayLevels.DEFAULT.atLeast(Duration.ofMillis(1_001))).isEqualTo(2);
    assertThat(DelayLevels.DEFAULT.atLeast(Duration.ofSeconds(30))).isEqualTo(4);
    assertThat(DelayLevels.DEFAULT.atLeast(Duration.ofMinutes(61))).isEqualTo(18);
  }

  @Test
  void a_wait_longer_than_all_delays_gets_the_longest() {
    assertThat(DelayLevels.DEFAULT.atLeast(Duration.ofDays(1))).isEqualTo(18);
    assertThat(DelayLevels.parse("1s 2h 5s").atLeast(Duration.ofDays(1))).isEqualTo(2);
  }

  @Test
  void levels_need_not_rise() {
    assertThat(DelayLevels.parse("1m 10s 30s").atLeast(Duration.ofSeconds(20))).isEqualTo(3);
  }

  @Test
  void all_levels_of_a_default_broker_take_nearly_five_hours() {
    assertThat(DelayLevels.DEFAULT.delays()).hasSize(18);
    assertThat(DelayLevels.DEFAULT.sum())
        .isEqualTo(Duration.ofSeconds(46).plusMinutes(105).plusHours(3));
  }

  @Test
  void what_is_no_delay_is_named() {
    assertThatThrownBy(() -> DelayLevels.parse("1s soon"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("messageDelayLevel is '1s soon'");
  }
}
