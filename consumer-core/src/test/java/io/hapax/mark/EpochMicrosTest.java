package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EpochMicrosTest {

  @Test
  void instant_is_counted_in_microseconds() {
    assertThat(EpochMicros.of(Instant.parse("2026-03-01T12:00:00.123456Z")))
        .isEqualTo(1_772_366_400_123_456L);
  }

  @Test
  void nanoseconds_are_rounded_down_before_and_after_the_epoch() {
    assertThat(EpochMicros.of(Instant.ofEpochSecond(0, 1_999))).isEqualTo(1);
    assertThat(EpochMicros.of(Instant.ofEpochSecond(0, -1))).isEqualTo(-1);
    assertThat(EpochMicros.of(Instant.ofEpochSecond(0, -1_001))).isEqualTo(-2);
  }

  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, -1, 999_999, -999_999, 1_772_366_400_123_456L, -62_135_596_800_000_000L})
  void microseconds_come_back_as_they_went(long micros) {
    assertThat(EpochMicros.of(EpochMicros.toInstant(micros))).isEqualTo(micros);
  }

  @Test
  void instant_too_far_away_gives_the_nearest_end() {
    assertThat(EpochMicros.of(Instant.MAX)).isEqualTo(Long.MAX_VALUE);
    assertThat(EpochMicros.of(Instant.MIN)).isEqualTo(Long.MIN_VALUE);
    assertThat(EpochMicros.of(ClaimTerms.ANY_TIME)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void order_is_kept_near_the_ends() {
    long limit = Long.MAX_VALUE / 1_000_000;
    for (long seconds = limit - 3; seconds < limit + 3; seconds++) {
      assertThat(EpochMicros.of(Instant.ofEpochSecond(seconds + 1)))
          .isGreaterThanOrEqualTo(EpochMicros.of(Instant.ofEpochSecond(seconds)));
      assertThat(EpochMicros.of(Instant.ofEpochSecond(-seconds - 1)))
          .isLessThanOrEqualTo(EpochMicros.of(Instant.ofEpochSecond(-seconds)));
    }
  }
}
