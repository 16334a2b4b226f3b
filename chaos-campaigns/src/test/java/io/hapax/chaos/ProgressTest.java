package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);

  @Test
  void without_a_terminal_each_step_is_a_line_without_control_characters() {
    run(0);

    assertThat(text()).isEqualTo("""
          starting
          consume: 100 messages
          SIGKILL 1 of 1
          replay 1: 100 messages
        """);
  }

  @Test
  void on_a_terminal_the_steps_stay_above_the_bar_and_each_bar_ends_full() {
    run(80);

    assertThat(screen())
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("  starting"),
            line -> assertThat(line).isEqualTo("  SIGKILL 1 of 1"),
            line -> assertThat(line).startsWith("  consume 100% [=").contains("] 100/100 ("),
            line -> assertThat(line).startsWith("  replay 1 100% [=").contains("] 100/100 ("))
        .allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
  }

  @Test
  void a_bar_that_ends_as_soon_as_it_begins_has_a_line_of_its_own() {
    try (Progress progress = new Progress(out, 80)) {
      for (int i = 0; i < 50; i++) {
        progress.begin("replay " + i, 100);
        progress.end();
      }
    }

    assertThat(screen()).hasSize(50).allSatisfy(line -> assertThat(line).contains("] 100/100 ("));
  }

  @Test
  void redeliveries_do_not_make_the_bar_longer_than_the_topic() {
    try (Progress progress = new Progress(out, 80)) {
      progress.begin("consume", 100);
      progress.at(130);
      progress.end();
    }

    assertThat(text()).doesNotContain("130");
  }

  @Test
  void a_terminal_too_narrow_for_a_bar_gets_lines() {
    run(20);

    assertThat(text()).doesNotContain("\r", "\u001b");
  }

  private void run(int columns) {
    try (Progress progress = new Progress(out, columns)) {
      progress.step("starting");
      progress.begin("consume", 100);
      progress.at(40);
      progress.step("SIGKILL 1 of 1");
      progress.at(70);
      progress.end();
      progress.begin("replay 1", 100);
      progress.end();
    }
  }

  private String text() {
    return written.toString(StandardCharsets.UTF_8);
  }

  /**
   * Returns the content of the terminal: a carriage return overwrites the line, the escape erases
   * its rest.
   */
  private List<String> screen() {
    return Arrays.stream(text().split("\n", -1))
        .map(ProgressTest::shown)
        .filter(line -> !line.isBlank())
        .toList();
  }

  private static String shown(String line) {
    StringBuilder shown = new StringBuilder();
    for (String part : line.split("\r", -1)) {
      boolean erases = part.startsWith("\u001b[K");
      String text = erases ? part.substring(3) : part;
      shown.replace(0, erases ? shown.length() : Math.min(text.length(), shown.length()), text);
    }
    return shown.toString().stripTrailing();
  }
}
