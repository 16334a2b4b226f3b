package io.hapax.servers;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;

/**
 * A real Kafka broker in its own JVM: one node, KRaft, no security. It has the classic and the new
 * group protocol, share groups and transactions.
 *
 * <pre>{@code
 * try (LocalKafka kafka = LocalKafka.start()) {
 *   kafka.createTopic("orders", 3);
 *   ... kafka.bootstrapServers() ...
 * }
 * }</pre>
 *
 * <p>Topics are not created automatically. Acknowledged data survive {@link #kill()}, because the
 * page cache outlives a killed process. The broker notices a vanished group member after its
 * session timeout with the classic protocol (one second is allowed), and after six seconds with the
 * newer ones. After {@link #restart()} of a killed broker its old session lasts another second or
 * two.
 */
public final class LocalKafka extends LocalServer {

  private static final int PROBE_MILLIS = 3_000;
  private static final String[] LOGGING = {
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
    "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd HH:mm:ss.SSS"
  };

  private final int controllerPort = Loopback.freePort();

  /** The same at each start, because the broker refuses data of another cluster. */
  private final String clusterId = Uuid.randomUuid().toString();

  private LocalKafka(Builder<LocalKafka> builder) {
    super("Kafka", builder);
  }

  /** Starts a broker with the default settings. */
  public static LocalKafka start() {
    return builder().start();
  }

  /** Returns a builder with the default settings. */
  public static Builder<LocalKafka> builder() {
    return new Builder<>("kafka", LocalKafka::new);
  }

  /**
   * Returns the settings that each broker has unless its builder replaces them, under Kafka's
   * names. Addresses and directory are not among them.
   */
  public static Map<String, String> defaults() {
    return Resources.settings("io/hapax/servers/kafka-server.properties");
  }

  /** Returns {@code host:port} of the broker. It never changes. */
  public String bootstrapServers() {
    return address();
  }

  /**
   * Creates a topic and returns when each of its partitions has a leader.
   *
   * @throws LocalServerException if the topic exists, or the broker does not do it within half a
   *     minute
   */
  public void createTopic(String name, int partitions) {
    KafkaTopics.create(bootstrapServers(), name, partitions);
  }

  @Override
  ProcessBuilder program() throws IOException {
    String controller = Loopback.HOST + ':' + controllerPort;
    Map<String, String> settings = defaults();
    settings.put("controller.quorum.voters", "1@" + controller);
    settings.put("listeners", "PLAINTEXT://" + address() + ",CONTROLLER://" + controller);
    settings.put("advertised.listeners", "PLAINTEXT://" + address());
    settings.put("log.dirs", directory().data().toString());
    List<String> command = jvmCommand("256m", LOGGING);
    command.addAll(List.of(
        "-cp",
        ChildJvm.brokerClassPath("kafka", "io/hapax/servers/kafka/KafkaBrokerMain.class"),
        "io.hapax.servers.kafka.KafkaBrokerMain",
        clusterId,
        write("server.properties", withUserSettings(settings)).toString()));
    return process(command);
  }

  /** Probes the port first: a client logs a warning at each attempt to reach a closed port. */
  @Override
  void probe() throws Exception {
    Loopback.connect(port()).close();
    try (Admin admin = KafkaTopics.admin(address(), PROBE_MILLIS)) {
      if (admin
          .describeCluster()
          .nodes()
          .get(PROBE_MILLIS, TimeUnit.MILLISECONDS)
          .isEmpty()) {
        throw new IOException("the broker is still fenced");
      }
    }
  }
}
