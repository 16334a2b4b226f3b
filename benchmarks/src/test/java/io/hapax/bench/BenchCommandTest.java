package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class BenchCommandTest {

  private final StringWriter errors = new StringWriter();
  private final StringWriter output = new StringWriter();
  private final CommandLine line = BenchCommand.commandLine()
      .setErr(new PrintWriter(errors, true))
      .setOut(new PrintWriter(output, true));

  @ParameterizedTest
  @CsvSource(quoteCharacter = '"', delimiter = '|', textBlock = """
          rocket                     | Unmatched argument at index 0: 'rocket'
          stores --store oracle      | but was 'oracle'
          stores --batch 0           | --batch is 0 but must be between 1 and 5000
          stores --batch 1,x         | 'x' is not an int
          stores --threads 33        | --threads is 33 but must be between 1 and 32
          stores --marks -1          | --marks is -1 but must be between 0 and 100000000
          stores --rounds 0          | --rounds is 0 but must be between 1 and 1000
          stores --round-millis 0    | --round-millis is 0 but must be between 1 and 60000
          stores --colour red        | Unknown options: '--colour', 'red'
          stores stray               | Unmatched argument at index 1: 'stray'
          engine --messages 5        | --messages is 5 but must be between 500 and 2000000
          rocketmq --batch 0         | --batch is 0 but must be between 1 and 1024
          rocketmq --seconds 0       | --seconds is 0.0 but must be more than 0 and at most 600
          kafka --records 1          | --records is 1 but must be between 100 and 10000000
          kafka --subject rabbit     | but was 'rabbit'
          kafka --latency 0          | --latency is 0 but must be between 1 and 100000
          kafka --seconds 0          | --seconds is 0.0 but must be more than 0 and at most 600
          spring --messages 9        | --messages is 9 but must be between 100 and 2000000
          spring --seconds 0         | --seconds is 0.0 but must be more than 0 and at most 600
          engine --store redis       | Unknown options: '--store', 'redis'
          """)
  void a_bad_option_gets_one_clear_line_and_exit_code_2(String options, String complaint) {
    assertThat(line.execute(options.split(" ", -1))).isEqualTo(2);

    assertThat(errors.toString().strip())
        .startsWith("bench: ")
        .contains(complaint)
        .hasLineCount(1);
    assertThat(output.toString()).isEmpty();
  }

  @Test
  void no_subcommand_is_a_bad_option_too() {
    assertThat(line.execute()).isEqualTo(2);

    assertThat(errors.toString()).isEqualToIgnoringNewLines("bench: Missing required subcommand");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "stores --help",
        "engine --help",
        "kafka --help",
        "rocketmq --help",
        "spring --help"
      })
  void help_is_no_error(String options) {
    assertThat(line.execute(options.split(" ", -1))).isZero();

    assertThat(output.toString()).contains("Usage: bench");
  }
}
