package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.servers.LocalKafka;
import io.hapax.servers.LocalRocketMq;
import io.hapax.servers.LocalServer;
import io.hapax.servers.Loopback;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the service in its own process, beside a broker. */
@Timeout(180)
abstract class ServiceProcesses {

  private static final Duration BOUND = Duration.ofSeconds(60);

  private static final Pattern SETTLED = Pattern.compile(
      "(?m)^hapax_outcomes_messages_total\\{.*outcome=\"(?:executed|duplicate)\".*} ([\\d.]+)$");

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

  /** Returns the arguments of Java. */
  abstract List<String> program();

  /** Starts a broker, and configures a service for it. */
  final LocalServer start(BrokerKind kind) {
    LocalServer broker;
    String address;
    if (kind == BrokerKind.KAFKA) {
      LocalKafka kafka = LocalKafka.start();
      broker = kafka;
      address = kafka.bootstrapServers();
    } else {
      LocalRocketMq rocketMq = LocalRocketMq.start();
      rocketMq.createTopic(OrderChannel.TOPIC, OrderChannel.PARTITIONS);
      broker = rocketMq;
      address = rocketMq.nameServer();
    }
    variables = Map.of(
        ServiceSettings.BROKER,
        kind.toString(),
        ServiceSettings.BROKER_ADDRESS,
        address,
        ServiceSettings.DATABASE_URL,
        "jdbc:h2:file:" + folder.resolve("shop") + ";WRITE_DELAY=0;REUSE_SPACE=FALSE",
        ServiceSettings.HEALTH_PORT,
        Integer.toString(Loopback.freePort()));
    return broker;
  }

  final Process startHealthy() throws IOException {
    Path log = folder.resolve("service.log");
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1"));
    command.addAll(program());
    command.add("serve");
    ProcessBuilder builder = new ProcessBuilder(command);
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

  final void send(String... ids) {
    for (String id : ids) {
      assertThat(execute("send", id)).isZero();
    }
  }

  private int execute(String... arguments) {
    return ServiceCommand.commandLine(variables)
        .setOut(new PrintWriter(Writer.nullWriter()))
        .execute(arguments);
  }

  /** Returns the meters of the running service. */
  final String scrape() throws IOException, InterruptedException {
    URI address =
        URI.create("http://127.0.0.1:" + variables.get(ServiceSettings.HEALTH_PORT) + "/metrics");
    HttpResponse<String> response = HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(address).timeout(BOUND).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  /** Waits until the running service has settled this number of messages. */
  final void awaitSettled(int messages) {
    await().atMost(BOUND).until(() -> settled() == messages);
  }

  private long settled() throws IOException, InterruptedException {
    return Math.round(SETTLED
        .matcher(scrape())
        .results()
        .mapToDouble(line -> Double.parseDouble(line.group(1)))
        .sum());
  }

  /** Ends the service when it has settled this number of messages since its start. */
  final void endWhenSettled(Process service, int messages) throws InterruptedException {
    awaitSettled(messages);
    service.destroy(); // SIGTERM
    assertThat(service.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(service.exitValue()).isEqualTo(ENDED_BY_SIGTERM);
  }

  final List<String> effects() throws Exception {
    try (var connection =
        DriverManager.getConnection(variables.get(ServiceSettings.DATABASE_URL))) {
      return Shop.ledger(connection).stream().map(LedgerRow::orderId).toList();
    }
  }
}
