package io.hapax.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Starts the subjects that are poll loops as users write them. */
final class KafkaLoops {

  private static final SetArgs CLAIM = SetArgs.Builder.nx().px(Duration.ofSeconds(30));
  private static final SetArgs KEEP = SetArgs.Builder.px(Messages.RETENTION);
  private static final String NOT_FRESH = "a fresh record is known: ";

  private final Servers servers;

  KafkaLoops(Servers servers) {
    this.servers = servers;
  }

  /**
   * Starts a loop.
   *
   * @param handled receives each record after its handler
   */
  AutoCloseable start(
      KafkaSubject subject,
      KafkaTopic topic,
      Map<String, Object> properties,
      Consumer<ConsumerRecord<byte[], byte[]>> handled)
      throws SQLException {
    return switch (subject) {
      case BARE -> new KafkaLoop(topic, properties, records -> records.forEach(handled));
      case REDIS_BY_HAND -> redisByHand(topic, properties);
      case NAIVE_EACH -> commitEach(topic, properties);
      case NAIVE_POLL -> commitPoll(topic, properties);
      case POSTGRES_BY_HAND -> postgresByHand(topic, properties);
      default -> throw new IllegalArgumentException(subject + " is no loop");
    };
  }

  /** Claims each record with a command, handles it, and marks it with another. */
  private AutoCloseable redisByHand(KafkaTopic topic, Map<String, Object> properties) {
    StatefulRedisConnection<String, String> connection =
        servers.redis().client().connect();
    RedisCommands<String, String> redis = connection.sync();
    String prefix = properties.get("group.id") + "/";
    KafkaLoop loop = new KafkaLoop(
        topic,
        properties,
        records -> records.forEach(record -> {
          String key = prefix + KafkaEffects.id(record);
          if (redis.set(key, "PROCESSING", CLAIM) == null) {
            throw new IllegalStateException(NOT_FRESH + key);
          }
          redis.set(key, "DONE", KEEP);
        }));
    return closing(loop, connection);
  }

  private AutoCloseable commitEach(KafkaTopic topic, Map<String, Object> properties)
      throws SQLException {
    Connection connection = connection(true);
    PreparedStatement insert = KafkaEffects.insert(connection);
    KafkaLoop loop = new KafkaLoop(topic, properties, records -> {
      for (ConsumerRecord<byte[], byte[]> record : records) {
        KafkaEffects.set(insert, record);
        Database.expect(1, insert.executeUpdate());
      }
    });
    return closing(loop, connection);
  }

  private AutoCloseable commitPoll(KafkaTopic topic, Map<String, Object> properties)
      throws SQLException {
    Connection connection = connection(false);
    PreparedStatement insert = KafkaEffects.insert(connection);
    KafkaLoop loop = new KafkaLoop(topic, properties, records -> {
      for (ConsumerRecord<byte[], byte[]> record : records) {
        KafkaEffects.set(insert, record);
        insert.addBatch();
      }
      Database.expect(records.count(), insert.executeBatch().length);
      connection.commit();
    });
    return closing(loop, connection);
  }

  /** Writes the id and the effect of each record in a transaction. */
  private AutoCloseable postgresByHand(KafkaTopic topic, Map<String, Object> properties)
      throws SQLException {
    Connection connection = connection(false);
    PreparedStatement insert = KafkaEffects.insert(connection);
    PreparedStatement remember = connection.prepareStatement(
        "INSERT INTO " + Servers.PROCESSED + " (message_id) VALUES (?) ON CONFLICT DO NOTHING");
    KafkaLoop loop = new KafkaLoop(topic, properties, records -> {
      for (ConsumerRecord<byte[], byte[]> record : records) {
        remember.setString(1, KafkaEffects.id(record));
        if (remember.executeUpdate() == 0) {
          throw new IllegalStateException(NOT_FRESH + KafkaEffects.id(record));
        }
        KafkaEffects.set(insert, record);
        Database.expect(1, insert.executeUpdate());
        connection.commit();
      }
    });
    return closing(loop, connection);
  }

  private Connection connection(boolean autoCommit) throws SQLException {
    HikariDataSource pool = servers.postgres().connections(autoCommit);
    return pool.getConnection();
  }

  private static AutoCloseable closing(KafkaLoop loop, AutoCloseable connection) {
    return () -> {
      try (connection) {
        loop.close();
      }
    };
  }
}
