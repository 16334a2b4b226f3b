package io.hapax.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalKafka;
import io.hapax.servers.LocalRedis;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;

/** A broker with a filled topic, a Redis and a PostgreSQL, all of them durable. */
final class SpringServers implements AutoCloseable {

  static final String TOPIC = "orders";
  private static final byte[] VALUE = "x".repeat(200).getBytes(StandardCharsets.UTF_8);

  private final LocalKafka kafka = LocalKafka.start();
  private final LocalRedis redis =
      LocalRedis.builder().setting("auto-aof-rewrite-percentage", "0").start();
  private final PostgresDatabase postgres = new PostgresDatabase();

  /** Creates the tables of the listeners and fills the topic. */
  void fill(SpringSetup setup) throws Exception {
    createTables();
    kafka.createTopic(TOPIC, setup.partitions());
    TopicWriter.write(
        kafka, setup.messages(), number -> record(number, (int) (number % setup.partitions())));
  }

  private static ProducerRecord<byte[], byte[]> record(long number, int partition) {
    byte[] id = "order-%010d".formatted(number).getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>(
        TOPIC, partition, id, VALUE, List.of(new RecordHeader("order-id", id)));
  }

  private void createTables() throws SQLException {
    try (HikariDataSource pool = postgres.pool(true);
        Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE effects (order_id TEXT NOT NULL)");
      statement.execute("CREATE TABLE processed (order_id TEXT PRIMARY KEY)");
    }
  }

  /** Removes what listeners of earlier measurements have written. */
  void clear() throws SQLException {
    redis.command("FLUSHALL");
    try (HikariDataSource pool = postgres.pool(true);
        Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("TRUNCATE effects, processed");
      statement.execute("CHECKPOINT");
    }
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  /** Returns where the application finds the servers. */
  Map<String, Object> properties() {
    return Map.of(
        "spring.kafka.bootstrap-servers", kafka.bootstrapServers(),
        "spring.data.redis.url", redis.uri(),
        "spring.datasource.url", postgres.url(),
        "spring.datasource.username", postgres.username(),
        "spring.datasource.password", postgres.password());
  }

  @Override
  public void close() {
    postgres.close();
    redis.close();
    kafka.close();
  }
}
