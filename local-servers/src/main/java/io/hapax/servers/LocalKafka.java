package io.hapax.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

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

  private static final int ADMIN_MILLIS = 30_000;

  private final KafkaProgram program;

  private LocalKafka(KafkaProgram program, ServerPlan plan) {
    super(program, plan);
    this.program = program;
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
    try (Admin admin = program.admin(ADMIN_MILLIS)) {
      Deadline deadline = Deadline.in(Duration.ofMillis(ADMIN_MILLIS));
      NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty());
      while (!created(admin, topic)) {
        if (deadline.hasPassed()) {
          throw new LocalServerException("the broker is fenced: it cannot create topic " + name);
        }
      }
      while (!hasLeaders(admin, name, partitions)) {
        if (deadline.hasPassed()) {
          throw new LocalServerException("topic " + name + " has partitions without a leader");
        }
      }
    } catch (ExecutionException e) {
      throw new LocalServerException(
          "cannot create topic " + name, e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LocalServerException("interrupted while creating topic " + name, e);
    }
  }

  /**
   * Creates a topic. Returns false while the controller has fenced the broker, whose heartbeats are
   * late under load.
   */
  private static boolean created(Admin admin, NewTopic topic)
      throws InterruptedException, ExecutionException {
    try {
      admin.createTopics(List.of(topic)).all().get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof InvalidReplicationFactorException) {
        return false;
      }
      throw e;
    }
  }

  private static boolean hasLeaders(Admin admin, String topic, int partitions)
      throws InterruptedException, ExecutionException {
    try {
      var described = admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
      return described != null
          && described.partitions().size() == partitions
          && described.partitions().stream().allMatch(partition -> partition.leader() != null);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false; // the broker has not read it from the metadata log yet
      }
      throw e;
    }
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
