package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the terminal output of a scan. */
class BarTest {

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);

  private void scan(int columns, long all) {
    boolean scanned = Bar.shown(out, columns, progress -> {
      progress.at(0, all);
      progress.at(all, all);
      return true;
    });
    assertThat(scanned).isTrue();
  }

  @Test
  void without_a_terminal_nothing_is_shown() {
    scan(0, 100);
    scan(20, 100);

    assertThat(text()).isEmpty();
  }

  @Test
  void a_scan_ends_with_a_full_bar_that_fits_the_terminal() {
    scan(80, 100);

    assertThat(screen())
        .singleElement()
        .satisfies(
            line -> assertThat(line)
                .startsWith("messages 100% [=")
                .contains("] 100/100 (")
                .endsWith("/s"),
            line -> assertThat(line).hasSizeLessThan(80));
  }

  @Test
  void each_scan_has_a_bar_of_its_own_length() {
    scan(80, 1_200);
    scan(80, 7);

    assertThat(screen())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("messages 100%").contains("] 1200/1200 ("),
            line -> assertThat(line).startsWith("messages 100%").contains("] 7/7 ("));
  }

  @Test
  void scans_that_end_as_soon_as_they_begin_have_a_line_each() {
    for (int i = 0; i < 50; i++) {
      scan(80, 100);
    }

    assertThat(screen()).hasSize(50).allSatisfy(line -> assertThat(line).contains("] 100/100 ("));
  }

  @Test
  void a_scan_of_nothing_ends_too() {
    scan(80, 0);

    assertThat(screen()).singleElement().satisfies(line -> assertThat(line).contains("0/0"));
  }

  private String text() {
    return written.toString(StandardCharsets.UTF_8);
  }

  /** Returns the final content of the terminal: a carriage return starts the line again. */
  private List<String> screen() {
    return Arrays.stream(text().split("\n", -1))
        .map(line -> line.substring(line.lastIndexOf('\r') + 1).strip())
        .filter(line -> !line.isBlank())
        .toList();
  }
}
