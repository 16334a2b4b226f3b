package io.hapax.chaos;

import io.hapax.demo.BrokerKind;
import io.hapax.demo.spring.SpringOrderService;
import io.hapax.demo.spring.SpringParts;
import io.hapax.spring.transaction.JdbcStoreCustomizer;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * Runs the order service of Spring in a consumer process.
 *
 * @param broker the broker
 * @param address its address
 * @param orderly whether RocketMQ's queues are read in order
 * @param parts what the application uses
 * @param reports notify the parent
 */
record SpringConsumer(
    BrokerKind broker, String address, boolean orderly, SpringParts parts, Reports reports) {

  private static final Logger LOG = LoggerFactory.getLogger(SpringConsumer.class);
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);
  private static final Duration RESTART_INTERVAL = Duration.ofSeconds(1);

  void run(int maxAttempts, Marks marks, ParentWatch parent) throws InterruptedException {
    Optional<ConfigurableApplicationContext> started =
        start(properties(maxAttempts, marks), parent);
    if (started.isEmpty()) {
      return;
    }
    try (ConfigurableApplicationContext application = started.get()) {
      reports.ready();
      while (!parent.awaitStop(CHECK_INTERVAL)) {
        if (!application.isActive()) {
          throw new IllegalStateException("the application has ended by itself");
        }
      }
    }
  }

  /**
   * Starts the application, and starts it again while no broker can be reached, as a supervisor
   * does. Empty if the parent ends the wait.
   */
  private Optional<ConfigurableApplicationContext> start(
      Map<String, Object> properties, ParentWatch parent) throws InterruptedException {
    do {
      try {
        return Optional.of(
            SpringOrderService.start(broker, address, orderly, parts, properties, IdleLimit.class));
      } catch (RuntimeException e) {
        if (!RocketMqTuning.isUnreached(e)) {
          throw e;
        }
        LOG.warn("The broker cannot be reached, trying again", e);
      }
    } while (!parent.awaitStop(RESTART_INTERVAL));
    return Optional.empty();
  }

  private Map<String, Object> properties(int maxAttempts, Marks marks) {
    Map<String, Object> properties = new HashMap<>(redis(marks.redis()));
    properties.put("hapax.store", marks.redis().isEmpty() ? "jdbc" : "redis");
    properties.put("spring.data.redis.client-name", Consumers.name(parts.consumer()));
    properties.put("hapax.jdbc.create-if-absent", "true");
    String consumer = "hapax.consumers." + HapaxConsumer.NAME;
    properties.put(consumer + ".lease", HapaxConsumer.LEASE.toString());
    properties.put(consumer + ".attempts", maxAttempts);
    properties.put(consumer + ".first-backoff", HapaxConsumer.BACKOFF.toString());
    properties.put(consumer + ".max-backoff", HapaxConsumer.BACKOFF.toString());
    return properties;
  }

  /** Returns the settings of Spring's client. Several addresses are those of a cluster. */
  private static Map<String, Object> redis(List<String> addresses) {
    return switch (addresses.size()) {
      case 0 -> Map.of();
      case 1 -> Map.of("spring.data.redis.url", addresses.get(0));
      default ->
        Map.of(
            "spring.data.redis.cluster.nodes",
            addresses.stream().map(SpringConsumer::node).collect(Collectors.joining(",")));
    };
  }

  private static String node(String address) {
    URI uri = URI.create(address);
    return uri.getHost() + ':' + uri.getPort();
  }

  /** Lets the store know when the database of a run ends an idle transaction. */
  static class IdleLimit {

    @Bean
    JdbcStoreCustomizer idleLimit() {
      return store -> store.idleLimit(ShopDatabase.IDLE_LIMIT);
    }
  }
}
