package io.hapax.console.operations;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the grouping of dead letters by failure. */
class FailureTest {

  private static String of(String detail) {
    return Failure.of("NOT_RETRYABLE", detail, "").text();
  }

  @Test
  void the_exceptions_are_named_without_their_messages() {
    assertThat(of("java.lang.IllegalStateException: no price for order 17"))
        .isEqualTo("java.lang.IllegalStateException");
    assertThat(of("in doubt: com.shop.GatewayException: order 17, caused by"
            + " java.net.SocketTimeoutException: after 30 s"))
        .isEqualTo("com.shop.GatewayException, java.net.SocketTimeoutException");
    assertThat(of("com.shop.Outer$Inner")).isEqualTo("com.shop.Outer$Inner");
  }

  @Test
  void another_reason_is_taken_without_its_numbers() {
    assertThat(of("it is 17 days old")).isEqualTo("it is # days old");
    assertThat(of("")).isEmpty();
    assertThat(of("x".repeat(1_000))).hasSize(120);
  }

  @Test
  void a_hostile_reason_is_read_to_its_end() {
    assertThat(of("a.".repeat(500_000))).hasSize(120);
    assertThat(of("caused by ".repeat(50_000) + "a.".repeat(50_000))).hasSize(120);
  }

  @Test
  void the_same_failure_has_the_same_key() {
    Failure one = Failure.of("CONFLICT", "a.B: 1", "");
    assertThat(one.key()).isEqualTo(Failure.of("CONFLICT", "a.B: 2", "").key());
    assertThat(one.key()).isNotEqualTo(Failure.of("IN_DOUBT", "a.B: 1", "").key());
    assertThat(one.key()).matches("[0-9a-f]{1,16}");
  }

  @Test
  void the_method_that_failed_is_a_part_of_the_group() {
    Failure charge = Failure.of("NOT_RETRYABLE", "a.B: 1", "com.shop.Billing.charge");

    assertThat(charge.text()).isEqualTo("a.B at com.shop.Billing.charge");
    assertThat(charge.key())
        .isEqualTo(
            Failure.of("NOT_RETRYABLE", "a.B: 2", "com.shop.Billing.charge").key())
        .isNotEqualTo(
            Failure.of("NOT_RETRYABLE", "a.B: 1", "com.shop.Billing.refund").key());
  }
}
