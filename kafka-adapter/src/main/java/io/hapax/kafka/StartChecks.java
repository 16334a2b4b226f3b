package io.hapax.kafka;

import io.hapax.kafka.internal.BrokerView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the brokers before reading starts: whether the topics and partitions exist, and whether the
 * times fit together that topics, offsets and marks are kept.
 */
final class StartChecks {

  private static final Logger LOG = LoggerFactory.getLogger(StartChecks.class);
  static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Map<String, Object> properties;
  private final Subscription subscription;

  StartChecks(Map<String, Object> consumerProperties, Subscription subscription) {
    this.properties = Map.copyOf(consumerProperties);
    this.subscription = subscription;
  }

  /**
   * Checks.
   *
   * @param remembered how long the store keeps DONE marks
   * @param mode what a finding about retention leads to
   * @throws IllegalArgumentException if the brokers answer that a topic or partition does not
   *     exist, or if a finding refuses the start
   * @throws IllegalStateException if the brokers do not answer and the start is refused therefore
   */
  void run(Duration remembered, RetentionCheck mode) {
    try (Admin admin = Admin.create(forAdmin(properties))) {
      Collection<String> topics = existing(admin);
      if (mode != RetentionCheck.OFF) {
        report(findings(admin, topics, remembered), mode);
      }
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      unanswered(e, mode);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      unanswered(e, mode);
    }
  }

  private static void unanswered(Exception e, RetentionCheck mode) {
    if (mode == RetentionCheck.REFUSE) {
      throw new IllegalStateException(
          "retentionCheck is REFUSE but the brokers did not answer: " + e, e);
    }
    LOG.info("Could not check the topics and how long they are kept: {}", e.toString());
  }

  /** Returns the properties of a client that does not wait long for an answer. */
  static Map<String, Object> forAdmin(Map<?, ?> consumerProperties) {
    Map<String, Object> forAdmin = new HashMap<>();
    consumerProperties.forEach((name, value) -> forAdmin.put(String.valueOf(name), value));
    forAdmin.keySet().retainAll(AdminClientConfig.configNames());
    int millis = (int) TIMEOUT.toMillis();
    forAdmin.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
    forAdmin.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
    return forAdmin;
  }

  private Collection<String> existing(Admin admin)
      throws ExecutionException, TimeoutException, InterruptedException {
    Set<String> all =
        subscription instanceof Subscription.Matching ? get(admin.listTopics().names()) : Set.of();
    Collection<String> topics = subscription.among(all);
    Set<TopicPartition> partitions = new HashSet<>();
    for (var each : admin.describeTopics(topics).topicNameValues().entrySet()) {
      BrokerView.ifTopicExists(each.getValue(), TIMEOUT)
          .orElseThrow(() -> missing(each.getKey(), "topic"))
          .partitions()
          .forEach(it -> partitions.add(new TopicPartition(each.getKey(), it.partition())));
    }
    if (subscription instanceof Subscription.Partitions assigned) {
      assigned.partitions().stream()
          .filter(it -> !partitions.contains(it))
          .findAny()
          .ifPresent(it -> {
            throw missing(it.toString(), "partition");
          });
    }
    return topics;
  }

  private IllegalArgumentException missing(String name, String what) {
    return new IllegalArgumentException(subscription.setting() + " holds '" + name + "' but a "
        + what + " must exist before it is read: create it first");
  }

  private List<String> findings(Admin admin, Collection<String> topics, Duration remembered)
      throws ExecutionException, TimeoutException, InterruptedException {
    List<String> findings = new ArrayList<>(new ReplayHorizon(remembered).warnings(admin, topics));
    boolean joins = !(subscription instanceof Subscription.Partitions);
    Optional<String> offsets =
        new OffsetRetention(properties, joins, TIMEOUT).warning(admin, !findings.isEmpty());
    offsets.ifPresent(findings::add);
    return findings;
  }

  private static void report(List<String> findings, RetentionCheck mode) {
    if (mode == RetentionCheck.REFUSE && !findings.isEmpty()) {
      throw new IllegalArgumentException(
          "retentionCheck is REFUSE but: " + String.join(". ", findings));
    }
    findings.forEach(LOG::warn);
  }

  /** Waits for an answer of the brokers. */
  static <T> T get(KafkaFuture<T> answer)
      throws ExecutionException, TimeoutException, InterruptedException {
    return answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }
}
