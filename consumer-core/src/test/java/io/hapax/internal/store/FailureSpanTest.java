package io.hapax.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureSpanTest {

  private static final long MAX_COUNTED = 50;

  private final FailureSpan first = FailureSpan.NONE.failed(1000, MAX_COUNTED);

  @Test
  void one_failed_call_has_no_length() {
    assertThat(first.begun()).isTrue();
    assertThat(first.nanos()).isZero();
  }

  @Test
  void the_time_between_failed_calls_counts() {
    assertThat(first.failed(1030, MAX_COUNTED).failed(1070, MAX_COUNTED).nanos())
        .isEqualTo(70);
  }

  @Test
  void a_longer_gap_counts_up_to_the_limit() {
    assertThat(first.failed(9000, MAX_COUNTED).nanos()).isEqualTo(MAX_COUNTED);
  }

  @Test
  void a_call_that_was_sent_earlier_adds_nothing() {
    FailureSpan late = first.failed(1030, MAX_COUNTED).failed(900, MAX_COUNTED);

    assertThat(late.nanos()).isEqualTo(30);
    assertThat(late.lastSent()).isEqualTo(1030);
  }
}
