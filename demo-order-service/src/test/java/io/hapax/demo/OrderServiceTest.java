package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.servers.LocalKafka;
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
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The service as a process of its own, as a container runs it. */
@Timeout(180)
class OrderServiceTest {

  private static final Duration BOUND = Duration.ofSeconds(60);

  /** 128 and the number of the signal. */
  private static final int ENDED_BY_SIGTERM = 143;

  @TempDir
  private Path folder;

  private LocalKafka kafka;
  private Map<String, String> variables;
  private final List<Process> services = new ArrayList<>();

  @BeforeEach
  void prepare() throws IOException {
    kafka = LocalKafka.start();
    variables = Map.of(
        ServiceSettings.BROKER_ADDRESS, kafka.bootstrapServers(),
        ServiceSettings.DATABASE_URL, "jdbc:h2:file:" + folder.resolve("shop") + ";WRITE_DELAY=0",
        ServiceSettings.HEALTH_PORT, Integer.toString(Ports.free()));
  }

  @AfterEach
  void close() {
    services.forEach(Process::destroyForcibly);
    kafka.close();
  }

  @Test
  void an_order_that_is_sent_again_takes_effect_once_also_across_a_restart() throws Exception {
    Process first = startHealthy();
    send("order-1", "order-1");
    endWhenAcknowledged(first, 2);

    Process second = startHealthy();
    send("order-1", "order-2");
    endWhenAcknowledged(second, 4);

    assertThat(effects()).containsExactlyInAnyOrder("order-1", "order-2");
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

  private void endWhenAcknowledged(Process service, long messages) throws InterruptedException {
    try (Admin admin = Admin.create(
        Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers()))) {
      await().atMost(BOUND).until(() -> acknowledged(admin) == messages);
    }
    service.destroy(); // SIGTERM
    assertThat(service.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(service.exitValue()).isEqualTo(ENDED_BY_SIGTERM);
  }

  private static long acknowledged(Admin admin) throws Exception {
    return admin
        .listConsumerGroupOffsets(OrderBroker.GROUP)
        .partitionsToOffsetAndMetadata()
        .get()
        .values()
        .stream()
        .mapToLong(offset -> offset.offset())
        .sum();
  }

  private List<String> effects() throws Exception {
    try (var connection =
        DriverManager.getConnection(variables.get(ServiceSettings.DATABASE_URL))) {
      return Shop.ledger(connection).stream().map(LedgerRow::orderId).toList();
    }
  }
}
