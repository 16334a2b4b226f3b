package io.hapax.bench;

import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.TransactionalHandler;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaReceiver;
import io.hapax.mark.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Starts the subjects that consume. A handler with a database writes a row for each record. Except
 * in loops with a store, {@code handled} receives each record after its handler.
 */
record KafkaConsumers(Servers servers, Consumer<ConsumerRecord<byte[], byte[]>> handled) {

  AutoCloseable start(KafkaSubject subject, KafkaTopic topic, Map<String, Object> properties)
      throws Exception {
    return switch (subject) {
      case BARE -> new BareKafkaLoop(topic, properties, records -> records.forEach(handled));
      case REDIS_BY_HAND -> redisByHand(topic, properties);
      case NAIVE_EACH -> sqlLoop(topic, properties, true, KafkaConsumers::commitEach);
      case NAIVE_POLL -> sqlLoop(topic, properties, false, KafkaConsumers::commitPoll);
      case POSTGRES_BY_HAND -> sqlLoop(topic, properties, false, KafkaConsumers::byHand);
      default -> receiver(subject, topic, properties);
    };
  }

  private AutoCloseable redisByHand(KafkaTopic topic, Map<String, Object> properties)
      throws Exception {
    Consumer<String> check = servers.redis().byHand();
    String prefix = properties.get("group.id") + "/";
    return new BareKafkaLoop(
        topic, properties, records -> records.forEach(record -> check.accept(prefix + id(record))));
  }

  /** Creates the handler of a loop with a connection and the statement of its effects. */
  private interface SqlHandler {
    BareKafkaLoop.Handler with(Connection connection, PreparedStatement insert) throws SQLException;
  }

  private AutoCloseable sqlLoop(
      KafkaTopic topic, Map<String, Object> properties, boolean autoCommit, SqlHandler handler)
      throws Exception {
    Connection connection = servers.postgres().connections(autoCommit).getConnection();
    BareKafkaLoop loop =
        new BareKafkaLoop(topic, properties, handler.with(connection, insert(connection)));
    return () -> {
      try (connection) {
        loop.close();
      }
    };
  }

  private static BareKafkaLoop.Handler commitEach(Connection connection, PreparedStatement insert) {
    return records -> {
      for (ConsumerRecord<byte[], byte[]> record : records) {
        write(insert, record);
      }
    };
  }

  private static BareKafkaLoop.Handler commitPoll(Connection connection, PreparedStatement insert) {
    return records -> {
      for (ConsumerRecord<byte[], byte[]> record : records) {
        set(insert, record);
        insert.addBatch();
      }
      Database.expect(records.count(), insert.executeBatch().length);
      connection.commit();
    };
  }

  private static BareKafkaLoop.Handler byHand(Connection connection, PreparedStatement insert)
      throws SQLException {
    PreparedStatement remember = connection.prepareStatement(
        "INSERT INTO " + SqlTarget.PROCESSED + " (message_id) VALUES (?) ON CONFLICT DO NOTHING");
    return records -> {
      for (ConsumerRecord<byte[], byte[]> record : records) {
        remember.setString(1, id(record));
        if (remember.executeUpdate() == 0) {
          throw new IllegalStateException("a fresh record is known: " + id(record));
        }
        write(insert, record);
        connection.commit();
      }
    };
  }

  private AutoCloseable receiver(
      KafkaSubject subject, KafkaTopic topic, Map<String, Object> properties) throws Exception {
    String scope = subject.replays() ? Messages.SCOPE : String.valueOf(properties.get("group.id"));
    IdempotentReceiver<ConsumerRecord<byte[], byte[]>> receiver = receiver(
        subject,
        IdempotentReceiver.<ConsumerRecord<byte[], byte[]>>builder(scope)
            .id(KafkaIds.key())
            .fingerprint(subject.replays() ? KafkaConsumers::ofKnown : KafkaFingerprints.value()));
    KafkaReceiver<byte[], byte[]> reading =
        KafkaReceiver.start(receiver, properties, List.of(topic.name()));
    return () -> {
      reading.close();
      receiver.close();
      reading.failure().ifPresent(cause -> {
        throw new IllegalStateException(subject.title() + " has died", cause);
      });
    };
  }

  private IdempotentReceiver<ConsumerRecord<byte[], byte[]>> receiver(
      KafkaSubject subject, ReceiverBuilder<ConsumerRecord<byte[], byte[]>> builder)
      throws Exception {
    return switch (subject) {
      case MEMORY, REDIS, KNOWN_REDIS, POSTGRES_LEASED ->
        builder.leased(
            servers.store(subject.store()), delivery -> handled.accept(delivery.message()));
      case MEMORY_BATCH ->
        builder.leasedBatches(
            MemoryTarget.empty(), deliveries -> records(deliveries).forEach(handled));
      case POSTGRES_BATCH, KNOWN_POSTGRES ->
        builder.transactional(servers.postgres().store(), (connection, deliveries) -> {
          List<ConsumerRecord<byte[], byte[]>> records = records(deliveries);
          servers.postgres().writeEffects(connection, rows(records));
          records.forEach(handled);
        });
      case POSTGRES_EACH ->
        builder.transactional(
            servers.postgres().store(), TransactionalHandler.forEach((connection, delivery) -> {
              try (PreparedStatement insert = insert(connection)) {
                write(insert, delivery.message());
              }
              handled.accept(delivery.message());
            }));
      default -> throw new IllegalArgumentException(subject + " is no receiver");
    };
  }

  /**
   * Returns the fingerprint of the value of a known message. Known marks have the same one for all
   * messages, so this computes another and does not use it.
   */
  static Fingerprint ofKnown(ConsumerRecord<byte[], byte[]> record) {
    Fingerprint ofValue = KafkaFingerprints.<byte[], byte[]>value().apply(record);
    return ofValue.equals(Fingerprint.NONE) ? Fingerprint.NONE : Messages.FINGERPRINT;
  }

  private static List<ConsumerRecord<byte[], byte[]>> records(
      List<Delivery<ConsumerRecord<byte[], byte[]>>> deliveries) {
    return deliveries.stream().map(Delivery::message).toList();
  }

  private static List<Object[]> rows(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream()
        .map(record -> new Object[] {id(record), record.offset()})
        .toList();
  }

  private static String id(ConsumerRecord<byte[], byte[]> record) {
    return new String(record.key(), StandardCharsets.UTF_8);
  }

  private static PreparedStatement insert(Connection connection) throws SQLException {
    return connection.prepareStatement(
        "INSERT INTO " + SqlRaw.EFFECTS + " (message_id, token) VALUES (?, ?)");
  }

  private static void set(PreparedStatement insert, ConsumerRecord<byte[], byte[]> record)
      throws SQLException {
    insert.setString(1, id(record));
    insert.setLong(2, record.offset());
  }

  private static void write(PreparedStatement insert, ConsumerRecord<byte[], byte[]> record)
      throws SQLException {
    set(insert, record);
    Database.expect(1, insert.executeUpdate());
  }
}
