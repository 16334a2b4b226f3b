package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the pages that {@code ./hapax --help} prints without a build. */
class HelpPagesTest {

  private static final Path PAGES = Path.of("help");

  private static Map<String, String> pages() throws IOException {
    Map<String, String> pages = new HashMap<>();
    try (Stream<Path> files = Files.list(PAGES)) {
      for (Path file : files.toList()) {
        pages.put(PAGES.relativize(file).toString(), Files.readString(file));
      }
    }
    return pages;
  }

  private static String printed(String... arguments) {
    Console console = new Console();
    assertThat(console.run(arguments)).isZero();
    return console.out();
  }

  @Test
  void there_is_one_for_each_command_and_it_is_what_the_command_prints() throws Exception {
    Map<String, String> printed = new HashMap<>();
    printed.put("hapax.txt", printed("--help"));
    for (String command : HapaxCommand.commandLine().getSubcommands().keySet()) {
      printed.put(command + ".txt", printed(command, "--help"));
    }

    assertThat(pages())
        .as("java -jar hapax-cli/target/hapax.jar COMMAND --help writes the page of a command")
        .containsExactlyInAnyOrderEntriesOf(printed);
  }
}
