package io.hapax.bench;

import io.hapax.spring.Idempotent;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaConsumerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.transaction.support.TransactionTemplate;

/** The listeners of the subjects, as an application has them. */
final class SpringListeners {

  static final String TOPIC = "orders";

  private static final String GROUP = "${bench.group}";
  private static final String REMEMBER =
      "INSERT INTO processed (message_id) VALUES (?) ON CONFLICT DO NOTHING";
  private static final String INSERT = "INSERT INTO spring_effects (order_id) VALUES (?)";

  enum Subject implements RateTable.Subject {
    BARE("bare listener", Bare.class, null),
    /** A usual check: one SET NX for each record, which loses a record when its process dies. */
    REDIS_BY_HAND("Redis, SET NX by hand", ByHand.class, null),
    REDIS("@Idempotent, leased in Redis", Leased.class, REDIS_BY_HAND),
    /** A listener that writes a row for each record, in a transaction of its own. */
    NAIVE("PostgreSQL, a commit each", ByHand.class, null),
    /** The same with a row for the record's id in the same transaction. */
    SQL_BY_HAND("PostgreSQL, id by hand", ByHand.class, NAIVE),
    TRANSACTIONAL("@Idempotent, transactional", Transactional.class, NAIVE);

    private final String title;
    private final Class<?> listener;
    private final @Nullable Subject baseline;

    Subject(String title, Class<?> listener, @Nullable Subject baseline) {
      this.title = title;
      this.listener = listener;
      this.baseline = baseline;
    }

    @Override
    public String title() {
      return title;
    }

    boolean idempotent() {
      return this == REDIS || this == TRANSACTIONAL;
    }

    /** Returns the listener that this one is compared with; empty for a baseline. */
    Optional<Subject> baseline() {
      return Optional.ofNullable(baseline);
    }
  }

  private SpringListeners() {}

  @EnableAutoConfiguration
  static class Application {}

  static ConfigurableApplicationContext start(
      Servers servers, Subject subject, String group, CommitMeter meter) throws Exception {
    Map<String, Object> properties = new HashMap<>(servers.postgres().springProperties());
    properties.put("spring.kafka.bootstrap-servers", servers.kafka().bootstrapServers());
    properties.put("spring.data.redis.url", servers.redis().uri());
    properties.put("bench.group", group);
    properties.put("spring.kafka.consumer.auto-offset-reset", "earliest");
    properties.put("spring.kafka.listener.concurrency", 1);
    properties.put("spring.main.banner-mode", "off");
    properties.put("logging.level.root", "warn");
    properties.put("logging.config", "classpath:logback.xml");
    properties.put("hapax.store", subject == Subject.TRANSACTIONAL ? "jdbc" : "redis");
    properties.put("hapax.jdbc.create-if-absent", true);
    properties.put("spring.application.name", subject.name().toLowerCase(Locale.ROOT));
    return new SpringApplicationBuilder(Application.class, subject.listener)
        .web(WebApplicationType.NONE)
        .registerShutdownHook(false)
        .properties(properties)
        .initializers(context -> {
          DefaultKafkaConsumerFactoryCustomizer metering =
              factory -> factory.updateConfigs(meter.properties());
          context.getBeanFactory().registerSingleton("subject", subject);
          context.getBeanFactory().registerSingleton("metering", metering);
        })
        .run();
  }

  static class Bare {

    @KafkaListener(topics = TOPIC, groupId = GROUP)
    void on(String order) {}
  }

  static class Leased {

    @KafkaListener(topics = TOPIC, groupId = GROUP)
    @Idempotent(id = "key", mode = Idempotent.Mode.LEASED)
    void on(String order) {}
  }

  static class ByHand {

    private final Consumer<String> handler;

    ByHand(
        Subject subject,
        StringRedisTemplate redis,
        JdbcTemplate database,
        TransactionTemplate transaction) {
      this.handler = switch (subject) {
        case REDIS_BY_HAND ->
          id ->
              fresh(id, redis.opsForValue().setIfAbsent("by-hand/" + id, "1", Duration.ofDays(8)));
        case NAIVE -> id -> transaction.executeWithoutResult(status -> database.update(INSERT, id));
        default ->
          id -> transaction.executeWithoutResult(status -> {
            fresh(id, database.update(REMEMBER, id) == 1);
            database.update(INSERT, id);
          });
      };
    }

    private static void fresh(String id, @Nullable Boolean is) {
      if (!Boolean.TRUE.equals(is)) {
        throw new IllegalStateException("a fresh record is known: " + id);
      }
    }

    @KafkaListener(topics = TOPIC, groupId = GROUP)
    void on(String order, @Header(KafkaHeaders.RECEIVED_KEY) String id) {
      handler.accept(id);
    }
  }

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
