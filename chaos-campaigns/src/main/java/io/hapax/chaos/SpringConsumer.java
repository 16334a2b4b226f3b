package io.hapax.chaos;

import io.hapax.demo.spring.SpringOrderService;
import io.hapax.demo.spring.SpringParts;
import io.hapax.spring.transaction.JdbcStoreCustomizer;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

record SpringConsumer(
    ConsumeCommand options, DataSource database, Reports reports, ParentWatch parent) {

  void run() throws InterruptedException {
    ReportingWatch watch = new ReportingWatch(reports, parent, MarkIds.WITHIN_TOPIC);
    SpringParts parts = new SpringParts(
        options.number,
        database,
        options.mode,
        options.kafka().properties(),
        ConsumeCommand::prepareAny,
        watch,
        watch);
    try (ConfigurableApplicationContext application = SpringOrderService.start(
        options.broker, options.address, options.orderly, parts, properties(), IdleLimit.class)) {
      reports.ready();
      while (!parent.awaitStop()) {
        if (!application.isActive()) {
          throw new IllegalStateException("the application has ended by itself");
        }
      }
    }
  }

  private Map<String, Object> properties() {
    List<String> addresses = options.marks().redis();
    Map<String, Object> properties = new HashMap<>(redis(addresses));
    properties.put("hapax.store", addresses.isEmpty() ? "jdbc" : "redis");
    properties.put("spring.data.redis.client-name", Consumers.name(options.number));
    properties.put("hapax.jdbc.create-if-absent", "true");
    String consumer = "hapax.consumers." + HapaxConsumer.NAME;
    properties.put(consumer + ".lease", HapaxConsumer.LEASE.toString());
    properties.put(consumer + ".attempts", options.maxAttempts);
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
            addresses.stream()
                .map(URI::create)
                .map(uri -> uri.getHost() + ':' + uri.getPort())
                .collect(Collectors.joining(",")));
    };
  }

  /** Lets the store know when the database of a run ends an idle transaction. */
  static class IdleLimit {

    @Bean
    JdbcStoreCustomizer idleLimit() {
      return store -> store.idleLimit(CampaignStores.IDLE_LIMIT);
    }
  }
}
