package io.hapax.internal.handler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InvalidClassException;
import java.util.ConcurrentModificationException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ConversionErrorsTest {

  private static final class OfTheUser extends RuntimeException {
    OfTheUser(Throwable cause) {
      super(cause);
    }
  }

  private final Exception malformed = new InvalidClassException("no such class");

  private static Throwable because(Exception error, Throwable cause) {
    return error.initCause(cause);
  }

  @Test
  void a_conversion_error_fails_in_the_same_way_again() {
    assertThat(ConversionErrors.include(malformed)).isTrue();
    assertThat(ConversionErrors.include(new IllegalArgumentException())).isFalse();
  }

  @Test
  void exceptions_of_the_platform_may_wrap_it() {
    assertThat(ConversionErrors.include(new CompletionException(malformed))).isTrue();
    assertThat(ConversionErrors.include(new OfTheUser(malformed))).isFalse();
    assertThat(ConversionErrors.include(new IOException(malformed))).isFalse();
  }

  @Test
  void its_causes_must_come_from_the_data() {
    assertThat(ConversionErrors.include(because(malformed, new ArithmeticException())))
        .isTrue();
  }

  @Test
  void a_cause_that_does_not_come_from_the_message_may_pass() {
    assertThat(ConversionErrors.include(because(malformed, new ConcurrentModificationException())))
        .isFalse();
  }
}
