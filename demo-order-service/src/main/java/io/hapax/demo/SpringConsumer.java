package io.hapax.demo;

import io.hapax.ReceiverListener;
import io.hapax.errors.RejectedMessageException;
import io.hapax.spring.CurrentDelivery;
import io.hapax.spring.Idempotent;
import io.hapax.spring.transaction.JdbcStoreCustomizer;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** Runs the order service as an application of Spring Boot, with one annotated listener. */
final class SpringConsumer {

  private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);

  private final Parts parts;

  SpringConsumer(Parts parts) {
    this.parts = parts;
  }

  void run(Mode mode, int maxAttempts, Marks marks, ParentWatch parent)
      throws InterruptedException {
    try (ConfigurableApplicationContext application = new SpringApplicationBuilder(
            Application.class)
        .web(WebApplicationType.NONE)
        .registerShutdownHook(false)
        .initializers(context -> context.getBeanFactory().registerSingleton("parts", parts))
        .properties(properties(mode, maxAttempts, marks))
        .run()) {
      parts.reports().ready();
      while (!parent.awaitStop(CHECK_INTERVAL)) {
        if (!application.isActive()) {
          throw new IllegalStateException("the application has ended by itself");
        }
      }
    }
  }

  private Map<String, Object> properties(Mode mode, int maxAttempts, Marks marks) {
    Map<String, Object> properties = new HashMap<>();
    properties.put(
        "spring.kafka.bootstrap-servers",
        parts.properties().get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG));
    properties.put("spring.main.banner-mode", "off");
    properties.put("logging.config", "classpath:logback.xml");
    properties.put("hapax.mode", mode.name());
    properties.put("hapax.store", marks.redis().isEmpty() ? "jdbc" : "redis");
    marks.redis().stream()
        .findFirst()
        .ifPresent(address -> properties.put("spring.data.redis.url", address));
    properties.put("hapax.jdbc.create-if-absent", "true");
    properties.put("hapax.dead-letters", KafkaDeadTopic.NAME);
    String consumer = "hapax.consumers." + HapaxConsumer.NAME;
    properties.put(consumer + ".lease", HapaxConsumer.LEASE.toString());
    properties.put(consumer + ".attempts", maxAttempts);
    properties.put(consumer + ".first-backoff", HapaxConsumer.BACKOFF.toString());
    properties.put(consumer + ".max-backoff", HapaxConsumer.BACKOFF.toString());
    return properties;
  }

  /**
   * What a run gives to the application.
   *
   * @param number the number of this consumer in the ledger
   * @param properties of the Kafka consumer
   * @param database of the shop
   * @param mode how marks and effects commit
   * @param reports notify the parent
   * @param gate holds a batch for a fault
   */
  record Parts(
      long number,
      Map<String, Object> properties,
      DataSource database,
      Mode mode,
      Reports reports,
      PauseGate gate) {}

  /** The application. */
  @EnableAutoConfiguration
  static class Application {

    @Bean
    DataSource database(Parts parts) {
      return parts.database();
    }

    /** Boot takes a factory of no other type. */
    @Bean
    ConsumerFactory<Object, Object> consumers(Parts parts) {
      return new DefaultKafkaConsumerFactory<>(parts.properties());
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
    OrderListener orders(Parts parts, TransactionTemplate transactions) {
      return new OrderListener(parts, transactions);
    }
  }

  /** The listener. */
  static class OrderListener {

    private final Parts parts;
    private final TransactionTemplate transactions;

    OrderListener(Parts parts, TransactionTemplate transactions) {
      this.parts = parts;
      this.transactions = transactions;
    }

    @KafkaListener(topics = OrderBroker.TOPIC, groupId = OrderBroker.GROUP)
    @Idempotent(id = "header:" + OrderBroker.ID)
    void on(ConsumerRecord<String, byte[]> record) throws Exception {
      Effect effect = effect(record);
      if (!Poison.isNamed(effect.order().id())) {
        parts
            .reports()
            .started(List.of(new Reports.InFlight(
                record.topic() + '-' + record.partition() + '@' + record.offset(),
                effect.order().id())));
        parts.gate().pauseIfReached();
      }
      if (parts.mode() == Mode.TRANSACTIONAL) {
        apply(effect); // in the transaction of the marks
      } else {
        transactions.executeWithoutResult(status -> apply(effect));
      }
      parts.gate().count(1);
      parts.gate().pauseIfReached();
    }

    private void apply(Effect effect) {
      Connection connection = DataSourceUtils.getConnection(parts.database());
      try {
        Shop.apply(connection, List.of(effect));
      } catch (SQLException e) {
        throw new IllegalStateException("the effect was not written", e);
      } finally {
        DataSourceUtils.releaseConnection(connection, parts.database());
      }
    }

    private Effect effect(ConsumerRecord<String, byte[]> record) {
      var delivery = CurrentDelivery.get().orElseThrow();
      Order order;
      try {
        order = OrderJson.read(record.value());
      } catch (UncheckedIOException e) {
        throw new RejectedMessageException(
            "message " + delivery.messageId() + " is not an order", e);
      }
      return new Effect(
          order,
          new LedgerRow(
              order.id(),
              delivery.fencingToken(),
              delivery.attempt(),
              delivery.recovery(),
              parts.number()));
    }
  }
}
