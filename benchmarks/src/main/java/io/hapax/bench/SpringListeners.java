package io.hapax.bench;

import io.hapax.spring.Idempotent;
import java.time.Duration;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.transaction.support.TransactionTemplate;

/** The listeners of the subjects, as an application has them. */
final class SpringListeners {

  private static final String TOPIC = "${bench.topic}";
  private static final String GROUP = "${bench.group}";
  private static final String INSERT = "INSERT INTO effects (order_id) VALUES (?)";
  private static final String ID = "order-id";

  private SpringListeners() {}

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
    void on(String order, @Header(ID) String id) {
      Boolean fresh = redis.opsForValue().setIfAbsent("by-hand/" + id, "1", Duration.ofDays(8));
      if (!Boolean.TRUE.equals(fresh)) {
        throw new IllegalStateException("a fresh record is known: " + id);
      }
    }
  }

  /** Has marks in Redis. */
  static class Leased {

    @KafkaListener(topics = TOPIC, groupId = GROUP)
    @Idempotent(id = "header:" + ID, mode = Idempotent.Mode.LEASED)
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
    void on(String order, @Header(ID) String id) {
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
    void on(String order, @Header(ID) String id) {
      transaction.executeWithoutResult(status -> {
        int fresh = database.update(
            "INSERT INTO processed (order_id) VALUES (?) ON CONFLICT DO NOTHING", id);
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
    @Idempotent(id = "header:" + ID, mode = Idempotent.Mode.TRANSACTIONAL)
    void on(String order, @Header(ID) String id) {
      database.update(INSERT, id);
    }
  }
}
