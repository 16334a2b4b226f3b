package io.hapax.bench;

import io.hapax.spring.Idempotent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.transaction.support.TransactionTemplate;

/** The listeners of the subjects, as an application has them. */
final class SpringListeners {

  private static final String TOPIC = "${bench.topic}";
  private static final String GROUP = "${bench.group}";
  private static final String INSERT = "INSERT INTO spring_effects (order_id) VALUES (?)";

  private SpringListeners() {}

  @EnableAutoConfiguration
  static class Application {}

  /** Creates the table of the listeners' effects. */
  static void createTables(SqlTarget postgres) throws SQLException {
    postgres.execute("CREATE TABLE spring_effects (order_id TEXT NOT NULL)");
  }

  /**
   * Starts an application with the listener of one subject. Its group reads the topic from its
   * beginning.
   */
  static ConfigurableApplicationContext start(
      Servers servers,
      KafkaTopic topic,
      SpringSubject subject,
      String group,
      int concurrency,
      CommitMeter meter)
      throws SQLException {
    Map<String, Object> properties = new HashMap<>(servers.postgres().springProperties());
    properties.put("spring.kafka.bootstrap-servers", servers.kafka().bootstrapServers());
    properties.put("spring.data.redis.url", servers.redis().uri());
    properties.put("bench.topic", topic.name());
    properties.put("bench.group", group);
    properties.put("spring.kafka.consumer.auto-offset-reset", "earliest");
    properties.put("spring.kafka.listener.concurrency", concurrency);
    properties.put("spring.main.banner-mode", "off");
    properties.put("logging.level.root", "warn");
    properties.put("logging.config", "classpath:logback.xml");
    properties.put("hapax.store", subject == SpringSubject.TRANSACTIONAL ? "jdbc" : "redis");
    properties.put("hapax.jdbc.create-if-absent", true);
    properties.put("spring.application.name", subject.name().toLowerCase(Locale.ROOT));
    return new SpringApplicationBuilder(Application.class, subject.listener())
        .web(WebApplicationType.NONE)
        .registerShutdownHook(false)
        .properties(properties)
        .initializers(context -> context.getBeanFactory().addBeanPostProcessor(metering(meter)))
        .run();
  }

  /** Lets consumers report their commits to a meter. */
  private static BeanPostProcessor metering(CommitMeter meter) {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof DefaultKafkaConsumerFactory<?, ?> factory) {
          factory.updateConfigs(CommitInterceptor.properties(meter));
        }
        return bean;
      }
    };
  }

  /** Does nothing. */
  static class Bare {

    @KafkaListener(topics = TOPIC, groupId = GROUP)
    void on(String order) {}
  }

  /** Asks Redis for each record. */
  static class RedisByHand {

    private final StringRedisTemplate redis;

    RedisByHand(StringRedisTemplate redis) {
      this.redis = redis;
    }

    @KafkaListener(topics = TOPIC, groupId = GROUP)
    void on(String order, @Header(KafkaHeaders.RECEIVED_KEY) String id) {
      Boolean fresh = redis.opsForValue().setIfAbsent("by-hand/" + id, "1", Duration.ofDays(8));
      if (!Boolean.TRUE.equals(fresh)) {
        throw new IllegalStateException("a fresh record is known: " + id);
      }
    }
  }

  /** Has marks in Redis. */
  static class Leased {

    @KafkaListener(topics = TOPIC, groupId = GROUP)
    @Idempotent(id = "key", mode = Idempotent.Mode.LEASED)
    void on(String order) {}
  }

  /** Commits each record. */
  static class Naive {

    private final JdbcTemplate database;
    private final TransactionTemplate transaction;

    Naive(JdbcTemplate database, TransactionTemplate transaction) {
      this.database = database;
      this.transaction = transaction;
    }

    @KafkaListener(topics = TOPIC, groupId = GROUP)
    void on(String order, @Header(KafkaHeaders.RECEIVED_KEY) String id) {
      transaction.executeWithoutResult(status -> database.update(INSERT, id));
    }
  }

  /** Commits each record with its id. */
  static class SqlByHand {

    private final JdbcTemplate database;
    private final TransactionTemplate transaction;

    SqlByHand(JdbcTemplate database, TransactionTemplate transaction) {
      this.database = database;
      this.transaction = transaction;
    }

    @KafkaListener(topics = TOPIC, groupId = GROUP)
    void on(String order, @Header(KafkaHeaders.RECEIVED_KEY) String id) {
      transaction.executeWithoutResult(status -> {
        int fresh = database.update(
            "INSERT INTO processed (message_id) VALUES (?) ON CONFLICT DO NOTHING", id);
        if (fresh == 1) {
          database.update(INSERT, id);
        }
      });
    }
  }

  /** Commits the effects of a poll with their marks. */
  static class Transactional {

    private final JdbcTemplate database;

    Transactional(JdbcTemplate database) {
      this.database = database;
    }

    @KafkaListener(topics = TOPIC, groupId = GROUP)
    @Idempotent(id = "key", mode = Idempotent.Mode.TRANSACTIONAL)
    void on(String order, @Header(KafkaHeaders.RECEIVED_KEY) String id) {
      database.update(INSERT, id);
    }
  }
}
