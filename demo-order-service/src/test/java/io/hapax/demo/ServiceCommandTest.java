package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.servers.Loopback;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ServiceCommandTest {

  private static final Pattern VARIABLE = Pattern.compile("ORDERS_[A-Z_]+");

  private final StringWriter errors = new StringWriter();
  private final StringWriter output = new StringWriter();

  @Test
  void a_bad_variable_ends_the_start_with_one_line() {
    int exitCode = execute(Map.of("ORDERS_BROKER", "rabbit"), "serve");

    assertThat(exitCode).isEqualTo(2);
    assertThat(errors.toString().lines())
        .containsExactly("order-service: ORDERS_BROKER is 'rabbit' but must be kafka or rocketmq");
  }

  @Test
  void a_missing_command_is_reported() {
    assertThat(execute(Map.of())).isEqualTo(2);

    assertThat(errors.toString())
        .isEqualToIgnoringNewLines(
            "order-service: one of serve, send, ledger and health is missing");
  }

  @Test
  void a_service_that_does_not_answer_is_not_healthy() {
    int nobody = Loopback.freePort();

    assertThat(execute(Map.of("ORDERS_HEALTH_PORT", Integer.toString(nobody)), "health"))
        .isEqualTo(1);
    assertThat(output.toString()).startsWith("no answer at port " + nobody);
  }

  @Test
  void the_page_of_the_demo_and_the_help_name_the_same_variables() throws IOException {
    execute(Map.of(), "--help");

    assertThat(variables(output.toString()))
        .isNotEmpty()
        .isEqualTo(variables(Files.readString(Path.of("../docs/demo.md"))))
        .containsAll(variables(Files.readString(Path.of("../docker-compose.yml"))));
  }

  private static Set<String> variables(String text) {
    return VARIABLE.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
  }

  private int execute(Map<String, String> variables, String... arguments) {
    return ServiceCommand.commandLine(variables)
        .setErr(new PrintWriter(errors, true))
        .setOut(new PrintWriter(output, true))
        .execute(arguments);
  }
}
