package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.servers.Loopback;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceSettingsTest {

  private static final Pattern VARIABLE = Pattern.compile("ORDERS_[A-Z_]+");

  private final StringWriter errors = new StringWriter();
  private final StringWriter output = new StringWriter();
  private static final String URL = "jdbc:postgresql://db/shop";

  private final Map<String, String> variables =
      new HashMap<>(Map.of("ORDERS_BROKER_ADDRESS", "here:9092", "ORDERS_DATABASE_URL", URL));

  @Test
  void broker_and_database_are_enough() {
    assertThat(read())
        .isEqualTo(new ServiceSettings(
            new ServiceSettings.Channel(BrokerKind.KAFKA, "here:9092", "orders", "order-service"),
            new ServiceSettings.Database(URL, "", ""),
            Optional.empty(),
            Mode.TRANSACTIONAL,
            8080));
  }

  @Test
  void every_variable_is_read() {
    variables.putAll(Map.of(
        "ORDERS_BROKER", "RocketMQ",
        "ORDERS_TOPIC", "sales",
        "ORDERS_GROUP", "billing",
        "ORDERS_DATABASE_USER", "me",
        "ORDERS_DATABASE_PASSWORD", "secret",
        "ORDERS_STORE", "redis",
        "ORDERS_REDIS_URI", "redis://marks:6379",
        "ORDERS_MODE", "leased",
        "ORDERS_HEALTH_PORT", "9000"));

    assertThat(read())
        .isEqualTo(new ServiceSettings(
            new ServiceSettings.Channel(BrokerKind.ROCKETMQ, "here:9092", "sales", "billing"),
            new ServiceSettings.Database(URL, "me", "secret"),
            Optional.of("redis://marks:6379"),
            Mode.LEASED,
            9000));
  }

  @Test
  void marks_in_redis_are_leased_by_default() {
    variables.putAll(
        Map.of("ORDERS_STORE", "redis", "ORDERS_REDIS_URI", "redis://marks", "ORDERS_MODE", " "));

    assertThat(read().mode()).isEqualTo(Mode.LEASED);
  }

  @Test
  void marks_in_redis_cannot_be_transactional() {
    variables.putAll(Map.of(
        "ORDERS_STORE", "redis",
        "ORDERS_REDIS_URI", "redis://marks",
        "ORDERS_MODE", "transactional"));

    assertThatThrownBy(this::read)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "ORDERS_MODE is transactional but must be leased with ORDERS_STORE=redis");
  }

  @Test
  void marks_in_redis_need_its_address() {
    variables.put("ORDERS_STORE", "redis");

    assertThatThrownBy(this::read)
        .hasMessage(
            "ORDERS_REDIS_URI is not set but must be redis://host:port with ORDERS_STORE=redis");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ORDERS_BROKER_ADDRESS", "ORDERS_DATABASE_URL"})
  void a_missing_setting_without_a_default_is_named(String name) {
    variables.put(name, "");

    assertThatThrownBy(this::read)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name + " is not set but must be ");
  }

  @ParameterizedTest
  @CsvSource({
    "ORDERS_BROKER, rabbit, kafka or rocketmq",
    "ORDERS_STORE, memory, database or redis",
    "ORDERS_MODE, once, transactional or leased",
    "ORDERS_HEALTH_PORT, 65536, a port between 1 and 65535",
    "ORDERS_HEALTH_PORT, 0, a port between 1 and 65535",
    "ORDERS_HEALTH_PORT, http, a port between 1 and 65535"
  })
  void a_broken_rule_is_reported_with_value_and_rule(String name, String value, String rule) {
    variables.put(name, value);

    assertThatThrownBy(this::read)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(name + " is '" + value + "' but must be " + rule);
  }

  @Test
  void no_address_that_may_contain_a_password_is_printed() {
    variables.put("ORDERS_DATABASE_URL", "postgres://me:secret@db/shop");

    assertThatThrownBy(this::read)
        .hasMessage("ORDERS_DATABASE_URL begins with 'postgres:' but must begin with 'jdbc:'");
    assertThat(new ServiceSettings.Database("jdbc:x:password=secret", "me", "secret"))
        .asString()
        .doesNotContain("secret");
  }

  private ServiceSettings read() {
    return ServiceSettings.of(variables);
  }

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
