package io.hapax.bench;

import io.hapax.mark.ClaimRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Plain statements that write the rows of the store to a table with the same definition. */
record SqlRaw(Database database, String table, MarkRow open, MarkRow done) {

  static final String EFFECTS = "effects";
  static final Columns EFFECT =
      new Columns(List.of("message_id", "token"), List.of("VARCHAR", "BIGINT"));

  /** The columns of a table in its order, with their types as the driver reports them. */
  record Columns(List<String> names, List<String> types) {

    String list() {
      return String.join(", ", names);
    }
  }

  /**
   * A row that the store wrote. The floor and the limit take their values from it. Its first
   * columns are key and nonce.
   */
  record MarkRow(Columns columns, List<Object> values) {

    static MarkRow read(DataSource source, String table) throws SQLException {
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT * FROM " + table)) {
        row.next();
        ResultSetMetaData meta = row.getMetaData();
        Columns columns = new Columns(new ArrayList<>(), new ArrayList<>());
        List<Object> values = new ArrayList<>();
        for (int i = 1; i <= meta.getColumnCount(); i++) {
          columns.names().add(meta.getColumnName(i));
          columns.types().add(meta.getColumnTypeName(i));
          values.add(row.getObject(i));
        }
        return new MarkRow(columns, values);
      }
    }

    Object[] of(Object key, Object nonce) {
      Object[] row = values.toArray();
      row[0] = key;
      row[1] = nonce;
      return row;
    }
  }

  void fill(DataSource autoCommitting, List<ClaimRequest> batch) throws SQLException {
    try (Connection connection = autoCommitting.getConnection()) {
      insert(connection, done, batch);
    }
  }

  /** Inserts all marks of a batch in one statement and commit, and makes them DONE in another. */
  void claimAndSettle(DataSource autoCommitting, List<ClaimRequest> batch) throws SQLException {
    try (Connection connection = autoCommitting.getConnection()) {
      insert(connection, open, batch);
    }
    try (Connection connection = autoCommitting.getConnection()) {
      database.finish(connection, table, batch.stream().map(this::key).toList());
    }
  }

  /** Inserts all marks of a batch as DONE and all effects, with two statements and a commit. */
  void marksAndEffects(DataSource transactions, List<ClaimRequest> batch) throws SQLException {
    try (Connection connection = transactions.getConnection()) {
      insert(connection, done, batch);
      effects(connection, batch);
      connection.commit();
    }
  }

  /** Writes the handler's effects: a row for each message, in one statement. */
  void effects(Connection connection, List<ClaimRequest> batch) throws SQLException {
    List<Object[]> rows = batch.stream()
        .map(it -> new Object[] {it.key().id().toString(), it.nonce().low()})
        .toList();
    database.insert(connection, EFFECTS, EFFECT, rows);
  }

  private void insert(Connection connection, MarkRow template, List<ClaimRequest> batch)
      throws SQLException {
    List<Object[]> rows = batch.stream()
        .sorted((one, two) -> one.key().compareTo(two.key()))
        .map(it ->
            template.of(key(it), database.bits(it.nonce().high(), it.nonce().low())))
        .toList();
    database.insert(connection, table, template.columns(), rows);
  }

  private Object key(ClaimRequest message) {
    return database.bits(message.key().high(), message.key().low());
  }
}
