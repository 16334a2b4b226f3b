package io.hapax.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;

/** Starts and probes one Kafka broker. */
final class KafkaProgram implements Program {

  private static final int PROBE_MILLIS = 3_000;
  private static final List<String> LOGGING = List.of(
      "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
      "-Dorg.slf4j.simpleLogger.showDateTime=true",
      "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd HH:mm:ss.SSS");

  private final ServerPlan plan;
  private final List<String> jvmOptions;
  private final int controllerPort = Loopback.freePort();

  KafkaProgram(ServerPlan plan, List<String> jvmOptions) {
    this.plan = plan;
    this.jvmOptions = jvmOptions;
  }

  @Override
  public String name() {
    return "Kafka at " + plan.address();
  }

  @Override
  public Process launch() {
    List<String> command = ChildJvm.serverCommand("256m", "-Djava.awt.headless=true");
    command.addAll(LOGGING);
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", ChildJvm.kafkaBroker(), "io.hapax.servers.kafka.BrokerMain"));
    command.addAll(List.of(clusterId(), writeProperties().toString()));
    return Guard.start(ChildJvm.process(plan, command));
  }

  /** Probes the port first: a client logs a warning at each attempt to reach a closed port. */
  @Override
  public Optional<Throwable> probe() {
    try (Socket accepted = Loopback.connect(plan.port());
        Admin admin = KafkaTopics.admin(plan.address(), PROBE_MILLIS)) {
      boolean serves = !admin
          .describeCluster()
          .nodes()
          .get(PROBE_MILLIS, TimeUnit.MILLISECONDS)
          .isEmpty();
      return serves ? Optional.empty() : Optional.of(new IOException("the broker is still fenced"));
    } catch (IOException | ExecutionException | TimeoutException e) {
      return Optional.of(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LocalServerException("interrupted while asking " + name(), e);
    }
  }

  static Map<String, String> defaults() {
    Properties properties = Resources.properties("io/hapax/servers/kafka-server.properties");
    Map<String, String> defaults = new TreeMap<>();
    properties.stringPropertyNames().forEach(it -> defaults.put(it, properties.getProperty(it)));
    return defaults;
  }

  /**
   * Returns the cluster id. It is chosen at the first start, because the broker refuses data of
   * another cluster.
   */
  private String clusterId() {
    Path file = plan.directory().path().resolve("cluster.id");
    try {
      if (!Files.exists(file)) {
        Files.writeString(file, Uuid.randomUuid().toString());
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the cluster id to " + file, e);
    }
  }

  private Path writeProperties() {
    String controller = Loopback.HOST + ':' + controllerPort;
    Properties properties = new Properties();
    properties.putAll(defaults());
    properties.setProperty("controller.quorum.voters", "1@" + controller);
    properties.setProperty(
        "listeners", "PLAINTEXT://" + plan.address() + ",CONTROLLER://" + controller);
    properties.setProperty("advertised.listeners", "PLAINTEXT://" + plan.address());
    properties.setProperty("log.dirs", plan.directory().data().toString());
    properties.putAll(plan.settings());
    Path file = plan.directory().path().resolve("server.properties");
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, null);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
