package io.hapax.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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

  private LocalKafka(KafkaProgram program, ServerPlan plan) {
    super(program, plan);
  }

  /** Starts a broker on an empty temporary directory. Closing the broker deletes it. */
  public static LocalKafka start() {
    return builder().start();
  }

  /**
   * Starts a broker on that directory and its data, if any. The directory is created if it is
   * missing, and never deleted.
   */
  public static LocalKafka start(Path directory) {
    return builder().directory(directory).start();
  }

  /** Returns a builder with the defaults of {@link #start()}. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns the settings that each broker has unless its builder replaces them, under Kafka's
   * names. Addresses and directory are not among them.
   */
  public static Map<String, String> defaults() {
    return KafkaProgram.defaults();
  }

  /** Returns {@code host:port} of the broker. It never changes. */
  public String bootstrapServers() {
    return Loopback.HOST + ':' + port();
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

  /** Settings of a broker before its start. */
  public static final class Builder extends LocalServer.Builder<LocalKafka, Builder> {

    private final List<String> jvmOptions = new ArrayList<>();

    private Builder() {
      super("kafka");
    }

    /**
     * Adds an option of the broker's JVM. It overrides the default, which suits a fast start of a
     * small broker. For throughput, use {@code -Xmx1g} and {@code -XX:TieredStopAtLevel=4}.
     */
    public Builder jvmOption(String option) {
      jvmOptions.add(option);
      return this;
    }

    @Override
    Builder self() {
      return this;
    }

    @Override
    LocalKafka create(ServerPlan plan) {
      return new LocalKafka(new KafkaProgram(plan, List.copyOf(jvmOptions)), plan);
    }
  }
}
