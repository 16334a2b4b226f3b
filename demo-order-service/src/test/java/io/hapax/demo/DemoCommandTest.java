package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class DemoCommandTest {

  private final StringWriter errors = new StringWriter();
  private final StringWriter output = new StringWriter();
  private final CommandLine line = DemoCommand.commandLine()
      .setErr(new PrintWriter(errors, true))
      .setOut(new PrintWriter(output, true));

  @Test
  void no_option_at_all_gives_the_defaults() {
    assertThat(parse())
        .isEqualTo(new DemoSettings(1000, 0.2, 1, 1, Mode.TRANSACTIONAL, StoreKind.H2, 1, false));
  }

  @Test
  void every_option_is_read() {
    assertThat(parse(
            "--orders=50 --duplicates=0.5 --kills=3 --replays=2 --mode=leased --store=postgres"
                + " --broker=kafka --seed=9 --naive"))
        .isEqualTo(new DemoSettings(50, 0.5, 3, 2, Mode.LEASED, StoreKind.POSTGRES, 9, true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--orders=0",
        "--orders=many",
        "--duplicates=1.5",
        "--duplicates=NaN",
        "--kills=-1",
        "--replays=-1",
        "--mode=magic",
        "--store=redis",
        "--broker=pigeon",
        "--seed=x",
        "--colour=red",
        "--json",
        "--json=no/such/folder/figures.json",
        "stray"
      })
  void a_bad_option_gets_one_line_and_exit_code_2(String option) {
    assertThat(line.execute(option)).isEqualTo(2);

    assertThat(errors.toString().strip()).startsWith("demo: ").hasLineCount(1);
    assertThat(output.toString()).isEmpty();
  }

  @Test
  void help_names_every_option() {
    assertThat(line.execute("--help")).isZero();

    assertThat(output.toString())
        .contains(
            "--orders",
            "--duplicates",
            "--kills",
            "--replays",
            "--mode",
            "--store",
            "--broker",
            "--seed",
            "--json",
            "--naive")
        .doesNotContain("consume ");
  }

  private DemoSettings parse(String... options) {
    String[] words = options.length == 0 ? options : options[0].split(" ", -1);
    CommandLine.ParseResult result = line.parseArgs(words);
    return ((DemoCommand) result.commandSpec().userObject()).settings();
  }
}
