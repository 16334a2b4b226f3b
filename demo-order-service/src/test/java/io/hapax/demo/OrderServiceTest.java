package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The service as a process of its own, as a container runs it. */
@Timeout(180)
class OrderServiceTest {

  private static final Duration BOUND = Duration.ofSeconds(60);

  /** 128 and the number of the signal. */
  private static final int ENDED_BY_SIGTERM = 143;

  @TempDir
  private Path folder;

  private Map<String, String> variables = Map.of();
  private final List<Process> services = new ArrayList<>();

  @AfterEach
  void close() {
    services.forEach(Process::destroyForcibly);
  }

  @ParameterizedTest
  @EnumSource(BrokerKind.class)
  void an_order_that_is_sent_again_takes_effect_once_also_across_a_restart(BrokerKind kind)
      throws Exception {
    try (OrderBroker broker = kind.start(folder)) {
      variables = Map.of(
          ServiceSettings.BROKER, kind.toString(),
          ServiceSettings.BROKER_ADDRESS, broker.address(),
          ServiceSettings.DATABASE_URL,
              "jdbc:h2:file:" + folder.resolve("shop") + ";WRITE_DELAY=0;REUSE_SPACE=FALSE",
          ServiceSettings.HEALTH_PORT, Integer.toString(Ports.free()));
      Process first = startHealthy();
      send("order-1", "order-1");
      endWhenAcknowledged(first, broker);

      Process second = startHealthy();
      send("order-1", "order-2");
      endWhenAcknowledged(second, broker);

      assertThat(effects()).containsExactlyInAnyOrder("order-1", "order-2");
    }
  }

  private Process startHealthy() throws IOException {
    Path log = folder.resolve("service.log");
    ProcessBuilder builder = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-cp",
        System.getProperty("java.class.path"),
        ServiceMain.class.getName(),
        "serve");
    builder.environment().putAll(variables);
    Process service = builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
    services.add(service);
    await().atMost(BOUND).until(() -> {
      assertThat(service.isAlive()).as(Files.readString(log)).isTrue();
      return execute("health") == 0;
    });
    return service;
  }

  private void send(String... ids) {
    for (String id : ids) {
      assertThat(execute("send", id)).isZero();
    }
  }

  private int execute(String... arguments) {
    return ServiceCommand.commandLine(variables)
        .setOut(new PrintWriter(Writer.nullWriter()))
        .execute(arguments);
  }

  private static void endWhenAcknowledged(Process service, OrderBroker broker)
      throws InterruptedException {
    await().atMost(BOUND).until(() -> broker.lag() == 0);
    service.destroy(); // SIGTERM
    assertThat(service.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(service.exitValue()).isEqualTo(ENDED_BY_SIGTERM);
  }

  private List<String> effects() throws Exception {
    try (var connection =
        DriverManager.getConnection(variables.get(ServiceSettings.DATABASE_URL))) {
      return Shop.ledger(connection).stream().map(LedgerRow::orderId).toList();
    }
  }
}
