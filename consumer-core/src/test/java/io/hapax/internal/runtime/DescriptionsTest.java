package io.hapax.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DescriptionsTest {

  private static final class Unreadable extends RuntimeException {
    @Override
    public String getMessage() {
      throw new IllegalStateException("no text");
    }
  }

  @Test
  void the_root_cause_is_named_once() {
    Throwable root = new IllegalStateException("disk full");

    assertThat(Descriptions.of(new RuntimeException("not saved", root)))
        .isEqualTo("java.lang.RuntimeException: not saved, caused by " + root);
    assertThat(Descriptions.of(new RuntimeException(root)))
        .isEqualTo("java.lang.RuntimeException: " + root);
  }

  @Test
  void of_an_error_without_end_a_bounded_part_is_kept() {
    Throwable root = new IllegalStateException("y".repeat(1_000_000));

    assertThat(Descriptions.of(new RuntimeException("x".repeat(1_000_000), root)))
        .hasSizeBetween(500, 1_000)
        .contains("caused by")
        .endsWith("y");
  }

  @Test
  void a_character_of_two_halves_is_not_cut_in_two() {
    String before = "x".repeat(479 - "java.lang.RuntimeException: ".length());

    assertThat(Descriptions.of(new RuntimeException(before + "\uD83D\uDE00"))).hasSize(479);
  }

  @Test
  void only_an_exception_that_a_logger_can_print_is_logged_itself() {
    Exception plain = new Exception("plain");
    assertThat(Descriptions.loggable(plain)).isSameAs(plain);

    Exception forged = new Exception("a\n12:00 ERROR b");
    assertThat(Descriptions.loggable(forged)).isNotSameAs(forged).hasMessageContaining("a 12:00");
    assertThat(Descriptions.loggable(new Unreadable())).isNotInstanceOf(Unreadable.class);
  }

  @Test
  void causes_that_form_a_circle_end() {
    Exception first = new Exception("first");
    Exception second = new Exception("second", first);
    first.initCause(second);

    assertThat(Descriptions.of(first)).startsWith("java.lang.Exception: first");
    assertThat(Descriptions.loggable(first)).isNotSameAs(first);
  }
}
