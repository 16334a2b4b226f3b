package io.hapax.chaos;

import io.hapax.ReceiverListener;
import io.hapax.demo.Mode;
import io.hapax.spring.transaction.JdbcStoreCustomizer;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.support.TransactionTemplate;

/** Runs the order service as an application of Spring Boot, with one annotated listener. */
final class SpringConsumer {

  private static final Logger LOG = LoggerFactory.getLogger(SpringConsumer.class);
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);
  private static final Duration RESTART_INTERVAL = Duration.ofSeconds(1);

  private final SpringSource source;
  private final Parts parts;

  SpringConsumer(SpringSource source, Parts parts) {
    this.source = source;
    this.parts = parts;
  }

  void run(int maxAttempts, Marks marks, ParentWatch parent) throws InterruptedException {
    Optional<ConfigurableApplicationContext> started =
        start(properties(maxAttempts, marks), parent);
    if (started.isEmpty()) {
      return;
    }
    try (ConfigurableApplicationContext application = started.get()) {
      parts.reports().ready();
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
        return Optional.of(new SpringApplicationBuilder(Application.class, source.listener())
            .web(WebApplicationType.NONE)
            .registerShutdownHook(false)
            .initializers(context -> context.getBeanFactory().registerSingleton("parts", parts))
            .properties(properties)
            .run());
      } catch (RuntimeException e) {
        if (!source.unreached().test(e)) {
          throw e;
        }
        LOG.warn("The broker cannot be reached, trying again", e);
      }
    } while (!parent.awaitStop(RESTART_INTERVAL));
    return Optional.empty();
  }

  private Map<String, Object> properties(int maxAttempts, Marks marks) {
    Map<String, Object> properties = new HashMap<>(source.properties());
    properties.put("spring.main.banner-mode", "off");
    properties.put("logging.config", "classpath:logback.xml");
    properties.put("hapax.mode", parts.mode().name());
    properties.put("hapax.store", marks.redis().isEmpty() ? "jdbc" : "redis");
    properties.putAll(redis(marks.redis()));
    properties.put("spring.data.redis.client-name", Consumers.name(parts.number()));
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

  /**
   * The parts of the application that a run determines.
   *
   * @param number the number of this consumer in the ledger
   * @param address of the broker
   * @param database of the shop
   * @param mode how marks and effects commit
   * @param protocol the group protocol of Kafka
   * @param reports notify the parent
   * @param gate holds a batch for a fault
   */
  record Parts(
      long number,
      String address,
      DataSource database,
      Mode mode,
      GroupProtocol protocol,
      Reports reports,
      PauseGate gate) {}

  /** The application. */
  @EnableAutoConfiguration
  static class Application {

    /** It stays open, because another application may start. */
    @Bean(destroyMethod = "")
    DataSource database(Parts parts) {
      return parts.database();
    }

    @Bean
    ReceiverListener reporting(Parts parts) {
      return new ReportingListener(parts.reports(), MarkIds.WITHIN_TOPIC);
    }

    @Bean
    JdbcStoreCustomizer idleLimit() {
      return store -> store.idleLimit(ShopDatabase.IDLE_LIMIT);
    }

    @Bean
    SpringOrders orders(Parts parts, TransactionTemplate transactions) {
      return new SpringOrders(parts, transactions);
    }
  }
}
