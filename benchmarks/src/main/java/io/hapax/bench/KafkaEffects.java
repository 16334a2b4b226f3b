package io.hapax.bench;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Writes a row for each record: the effect of the handlers with a database. */
final class KafkaEffects {

  private static final String INSERT =
      "INSERT INTO " + SqlRaw.EFFECTS + " (message_id, token) VALUES (?, ?)";

  private KafkaEffects() {}

  static String id(ConsumerRecord<byte[], byte[]> record) {
    return new String(record.key(), StandardCharsets.UTF_8);
  }

  /** Prepares the statement that {@link #set} fills. */
  static PreparedStatement insert(Connection connection) throws SQLException {
    return connection.prepareStatement(INSERT);
  }

  /** Sets the parameters of a record's row. */
  static void set(PreparedStatement insert, ConsumerRecord<byte[], byte[]> record)
      throws SQLException {
    insert.setString(1, id(record));
    insert.setLong(2, record.offset());
  }

  /** Writes the row of a record. */
  static void writeOne(Connection connection, ConsumerRecord<byte[], byte[]> record)
      throws SQLException {
    try (PreparedStatement insert = insert(connection)) {
      set(insert, record);
      Database.expect(1, insert.executeUpdate());
    }
  }

  /** Writes the rows of records with one statement. */
  static void writeAll(Connection connection, List<ConsumerRecord<byte[], byte[]>> records)
      throws SQLException {
    List<Object[]> rows = records.stream()
        .map(record -> new Object[] {id(record), record.offset()})
        .toList();
    PostgresDatabase.insertArrays(connection, SqlRaw.EFFECTS, SqlRaw.EFFECT, rows);
  }
}
