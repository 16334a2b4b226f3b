package io.hapax.demo.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@ExtendWith(OnStage.class)
class BareTechniquesTest {

  private static final String LOCK = "/order-1";
  private static final int TICK_MILLIS = 500;
  private static final int SESSION_MILLIS = 10_000;
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final String UNIQUE_VIOLATION = "23505";
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private final DataSource database;

  BareTechniquesTest(Servers servers) {
    this.database = servers.postgres();
  }

  @BeforeEach
  void create() throws SQLException {
    try (Connection connection = database.getConnection()) {
      Sql.createAfresh(connection, "answer", "order_id VARCHAR(60) NOT NULL");
      Sql.createAfresh(connection, "known_order", "order_id VARCHAR(60) PRIMARY KEY");
      Sql.createAfresh(connection, "bonus", "order_id VARCHAR(60) NOT NULL");
      Sql.createAfresh(
          connection, "address", "customer VARCHAR(60) PRIMARY KEY, city VARCHAR(60) NOT NULL");
    }
  }

  @Test
  void a_lookup_lets_two_pass_that_arrive_at_the_same_time() throws SQLException {
    try (Connection first = database.getConnection();
        Connection second = database.getConnection()) {
      first.setAutoCommit(false);

      payUnlessAnswered(first);
      payUnlessAnswered(second);
      first.commit();
      first.setAutoCommit(true);

      assertThat(bonuses(second)).isEqualTo(2);
    }
  }

  private static void payUnlessAnswered(Connection connection) throws SQLException {
    if (Sql.number(connection, "SELECT COUNT(*) FROM answer WHERE order_id = 'order-1'") == 0) {
      Sql.update(connection, "INSERT INTO bonus VALUES ('order-1')");
      Sql.update(connection, "INSERT INTO answer VALUES ('order-1')");
    }
  }

  @Test
  void a_unique_key_that_is_written_first_loses_the_effect_after_a_crash() throws SQLException {
    try (Connection connection = database.getConnection()) {
      insertKey(connection); // the process dies before it pays

      assertThatThrownBy(() -> insertKey(connection))
          .asInstanceOf(InstanceOfAssertFactories.type(SQLException.class))
          .extracting(SQLException::getSQLState)
          .as("so the redelivered message looks like a duplicate")
          .isEqualTo(UNIQUE_VIOLATION);
      assertThat(bonuses(connection)).isZero();
    }
  }

  private static void insertKey(Connection connection) throws SQLException {
    Sql.update(connection, "INSERT INTO known_order VALUES ('order-1')");
  }

  @Test
  void an_idempotent_write_that_is_late_undoes_a_newer_one() throws SQLException {
    try (Connection connection = database.getConnection()) {
      Sql.update(connection, "INSERT INTO address VALUES ('ann', 'unknown')");

      moveTo(connection, "Hangzhou");
      moveTo(connection, "Beijing");
      moveTo(connection, "Hangzhou"); // the first message is redelivered

      assertThat(Sql.rows(connection, "SELECT city FROM address")).containsExactly("Hangzhou");
    }
  }

  private static void moveTo(Connection connection, String city) throws SQLException {
    Sql.update(connection, "UPDATE address SET city = ? WHERE customer = 'ann'", city);
  }

  @Test
  void a_prepared_transaction_without_a_coordinator_blocks_its_rows() throws SQLException {
    try (Connection connection = database.getConnection()) {
      Sql.update(connection, "INSERT INTO address VALUES ('ann', 'Beijing')");
      connection.setAutoCommit(false);
      moveTo(connection, "Hangzhou");
      Sql.update(connection, "PREPARE TRANSACTION 'order-1'"); // now the coordinator dies
      connection.commit();
      try {
        Sql.update(connection, "SET LOCAL lock_timeout = '500ms'");
        assertThatThrownBy(() -> moveTo(connection, "Shanghai"))
            .asInstanceOf(InstanceOfAssertFactories.type(SQLException.class))
            .extracting(SQLException::getSQLState)
            .isEqualTo(LOCK_NOT_AVAILABLE);
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
        Sql.update(connection, "ROLLBACK PREPARED 'order-1'");
      }
    }
  }

  private static long bonuses(Connection connection) throws SQLException {
    return Sql.number(connection, "SELECT COUNT(*) FROM bonus");
  }

  @Test
  void an_offset_does_not_recognise_an_event_that_was_sent_twice(Servers servers) throws Exception {
    Stage stage = servers.stage();
    OrderEvent event = OrderEvent.of("order-1", "PAID", 5);
    try (EventTopic<?> topic = stage.topic("sequence", 1);
        Connection connection = stage.database().getConnection()) {
      Sql.createAfresh(connection, "last_offset", "number BIGINT NOT NULL");
      Sql.createAfresh(connection, "refund", "order_id VARCHAR(60) NOT NULL");
      Sql.update(connection, "INSERT INTO last_offset VALUES (-1)");
      topic.send(List.of(event, event));

      List<ConsumerRecord<byte[], byte[]>> records = read(servers.kafka(), topic.name());
      for (ConsumerRecord<byte[], byte[]> record : records) {
        stage.transact(transaction -> refundIfNew(transaction, record));
        stage.transact(transaction -> refundIfNew(transaction, record)); // redelivered
      }

      assertThat(Sql.rows(connection, "SELECT order_id FROM refund"))
          .containsExactly("order-1", "order-1");
    }
  }

  private static boolean refundIfNew(Connection transaction, ConsumerRecord<byte[], byte[]> record)
      throws SQLException {
    boolean isNew = Sql.update(
            transaction,
            "UPDATE last_offset SET number = ? WHERE number < ?",
            record.offset(),
            record.offset())
        == 1;
    if (isNew) {
      Sql.update(
          transaction,
          "INSERT INTO refund VALUES (?)",
          OrderEvent.fromJson(record.value()).orderId());
    }
    return isNew;
  }

  private static List<ConsumerRecord<byte[], byte[]>> read(String bootstrapServers, String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
        Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      await().atMost(Duration.ofSeconds(30)).until(() -> {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
        return records.size() == 2;
      });
    }
    return records;
  }

  @Test
  void a_paused_owner_works_on_after_its_session_has_expired(Servers servers, @TempDir Path folder)
      throws Exception {
    ZooKeeperServer server = new ZooKeeperServer(folder.toFile(), folder.toFile(), TICK_MILLIS);
    ServerCnxnFactory connections = new NIOServerCnxnFactory();
    connections.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    connections.startup(server);
    try (ZooKeeper first = connect(connections);
        ZooKeeper second = connect(connections);
        Connection database = servers.postgres().getConnection()) {
      Sql.createAfresh(database, "voucher", "owner VARCHAR(20) NOT NULL");
      lock(first);
      server.closeSession(first.getSessionId()); // the process has paused for too long

      await().atMost(BOUND).ignoreExceptions().untilAsserted(() -> lock(second));
      Sql.update(database, "INSERT INTO voucher VALUES ('second')");
      Sql.update(database, "INSERT INTO voucher VALUES ('first')"); // it continues

      assertThat(owner(second)).isEqualTo(second.getSessionId());
      assertThat(Sql.rows(database, "SELECT owner FROM voucher")).hasSize(2);
    } finally {
      connections.shutdown();
    }
  }

  private static ZooKeeper connect(ServerCnxnFactory connections) throws IOException {
    return new ZooKeeper("127.0.0.1:" + connections.getLocalPort(), SESSION_MILLIS, event -> {});
  }

  private static void lock(ZooKeeper client) throws KeeperException, InterruptedException {
    client.create(LOCK, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
  }

  private static long owner(ZooKeeper client) throws KeeperException, InterruptedException {
    return client.exists(LOCK, false).getEphemeralOwner();
  }
}
