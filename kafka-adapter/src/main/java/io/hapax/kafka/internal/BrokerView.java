package io.hapax.kafka.internal;

import io.hapax.errors.AuditFailedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Asks the brokers, for a limited time, and above all for topics. Thread-safe. */
public final class BrokerView implements AutoCloseable {

  private final Admin admin;
  private final Duration patience;

  private BrokerView(Admin admin, Duration patience) {
    this.admin = admin;
    this.patience = patience;
  }

  public static BrokerView open(Map<String, Object> properties, Duration patience) {
    Map<String, Object> forAdmin = ClientProperties.of(properties, AdminClientConfig.configNames());
    int millis = (int) patience.toMillis();
    int request = millis(forAdmin, AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
    int call = millis(
        forAdmin, AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Math.max(millis, request));
    // The admin client refuses a request that may last longer than the call, consumers take it.
    forAdmin.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.min(request, call));
    forAdmin.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, call);
    return new BrokerView(Admin.create(forAdmin), patience);
  }

  private static int millis(Map<String, Object> properties, String name, int otherwise) {
    Object given = properties.get(name);
    return given == null ? otherwise : Integer.parseInt(given.toString());
  }

  /** Returns the connection, for questions whose answers {@link #await} waits for. */
  public Admin admin() {
    return admin;
  }

  public List<Integer> partitions(String topic) throws InterruptedException {
    return topic(topic)
        .map(it -> it.partitions().stream().map(TopicPartitionInfo::partition).toList())
        .orElse(List.of());
  }

  public Optional<TopicDescription> topic(String topic) throws InterruptedException {
    try {
      return Optional.of(of(topic, await(admin.describeTopics(List.of(topic)).allTopicNames())));
    } catch (AuditFailedException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException
          || e.getCause() instanceof InvalidTopicException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Returns all settings of a topic, group or broker. */
  public Config settings(ConfigResource.Type type, String name) throws InterruptedException {
    ConfigResource resource = new ConfigResource(type, name);
    return of(resource, await(admin.describeConfigs(List.of(resource)).all()));
  }

  /** Returns the value of a setting, or nothing if the brokers do not know the setting. */
  public static Optional<String> value(Config settings, String name) {
    return Optional.ofNullable(settings.get(name)).map(ConfigEntry::value);
  }

  public static <N, T> T of(N name, Map<N, T> answers) {
    T answer = answers.get(name);
    if (answer == null) {
      throw new AuditFailedException("the brokers did not answer for " + name);
    }
    return answer;
  }

  /** Waits for an answer; an error that the brokers answer is the cause of the exception. */
  public <T> T await(KafkaFuture<T> future) throws InterruptedException {
    try {
      return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw cause instanceof org.apache.kafka.common.errors.TimeoutException
          ? silent(cause) // the client's own limit may end at the same time
          : new AuditFailedException("the brokers answered " + cause, cause);
    } catch (TimeoutException e) {
      throw silent(e);
    }
  }

  private AuditFailedException silent(Throwable timeout) {
    return new AuditFailedException("the brokers have not answered within " + patience, timeout);
  }

  @Override
  public void close() {
    admin.close(patience);
  }
}
