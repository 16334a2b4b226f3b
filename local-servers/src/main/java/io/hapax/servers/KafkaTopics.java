package io.hapax.servers;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Creates topics on any Kafka broker, also on one that this module has not started. */
public final class KafkaTopics {

  private static final int ADMIN_MILLIS = 30_000;

  private KafkaTopics() {}

  /**
   * Creates a topic and returns when the leader of each partition answers.
   *
   * @param bootstrapServers {@code host:port} of the broker
   * @throws LocalServerException if the topic exists, or the broker does not do it within half a
   *     minute
   */
  public static void create(String bootstrapServers, String name, int partitions) {
    NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty());
    Deadline deadline = Deadline.in(Duration.ofMillis(ADMIN_MILLIS));
    try (Admin admin = admin(bootstrapServers, ADMIN_MILLIS)) {
      while (!created(admin, topic)) {
        deadline.check("the broker is fenced: it cannot create topic " + name);
      }
      while (!leadersAnswer(admin, name, partitions)) {
        deadline.check("topic " + name + " has partitions without a leader");
      }
    } catch (ExecutionException e) {
      throw new LocalServerException(
          "cannot create topic " + name, e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LocalServerException("interrupted while creating topic " + name, e);
    }
  }

  static Admin admin(String bootstrapServers, int timeoutMillis) {
    return Admin.create(Map.of(
        AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
        AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMillis,
        AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeoutMillis));
  }

  /**
   * Creates a topic. Returns false while the controller has fenced the broker, whose heartbeats are
   * late under load.
   */
  private static boolean created(Admin admin, NewTopic topic)
      throws InterruptedException, ExecutionException {
    return succeeds(
        admin.createTopics(List.of(topic)).all(), InvalidReplicationFactorException.class);
  }

  /**
   * Asks each leader itself, because the metadata names a leader before it leads. Such a leader can
   * refuse the first batch of a producer and store the second one. The producer then repeats the
   * first one until its delivery time-out of two minutes. Returns false if the broker has not read
   * the topic from the metadata log yet.
   */
  private static boolean leadersAnswer(Admin admin, String topic, int partitions)
      throws InterruptedException, ExecutionException {
    Map<TopicPartition, OffsetSpec> all = IntStream.range(0, partitions)
        .mapToObj(partition -> new TopicPartition(topic, partition))
        .collect(Collectors.toMap(it -> it, it -> OffsetSpec.earliest()));
    return succeeds(admin.listOffsets(all).all(), UnknownTopicOrPartitionException.class);
  }

  /** Waits for an answer. Returns false for the error that means "not yet". */
  private static boolean succeeds(KafkaFuture<?> answer, Class<? extends Exception> notYet)
      throws InterruptedException, ExecutionException {
    try {
      answer.get();
      return true;
    } catch (ExecutionException e) {
      if (notYet.isInstance(e.getCause())) {
        return false;
      }
      throw e;
    }
  }
}
