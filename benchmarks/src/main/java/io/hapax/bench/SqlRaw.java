package io.hapax.bench;

import io.hapax.mark.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Plain statements that write the rows of the store to a table with the same definition. */
final class SqlRaw {

  static final String EFFECTS = "effects";
  static final Columns EFFECT =
      new Columns(List.of("message_id", "token"), List.of("VARCHAR", "BIGINT"));

  private final Database database;
  private final String table;
  private final Columns columns;
  private final MarkRow open;
  private final MarkRow done;

  /**
   * Creates the statements.
   *
   * @param database the database
   * @param table the table of marks
   * @param columns its columns
   * @param open an open mark
   * @param done a DONE mark
   */
  SqlRaw(Database database, String table, Columns columns, MarkRow open, MarkRow done) {
    this.database = database;
    this.table = table;
    this.columns = columns;
    this.open = open;
    this.done = done;
  }

  /**
   * Returns a task that inserts all marks of a batch in one statement and commit, and makes them
   * DONE in another.
   */
  Task claimAndSettle(DataSource autoCommitting, Supplier<List<ClaimRequest>> source) {
    return PreparedTask.of(source, batch -> {
      try (Connection connection = autoCommitting.getConnection()) {
        database.insert(connection, table, columns, rows(open, batch));
      }
      try (Connection connection = autoCommitting.getConnection()) {
        database.finish(
            connection, table, batch.stream().map(it -> database.key(it.key())).toList());
      }
    });
  }

  /**
   * Returns a task that inserts all marks of a batch as DONE and all effects, with two statements
   * and a commit.
   */
  Task marksAndEffects(DataSource transactions, Supplier<List<ClaimRequest>> source) {
    return PreparedTask.of(source, batch -> {
      try (Connection connection = transactions.getConnection()) {
        database.insert(connection, table, columns, rows(done, batch));
        effects(connection, batch);
        connection.commit();
      }
    });
  }

  /** Writes the handler's effects: a row for each message, in one statement. */
  void effects(Connection connection, List<ClaimRequest> batch) throws SQLException {
    List<Object[]> rows = batch.stream()
        .map(it -> new Object[] {it.key().id().toString(), it.nonce().low()})
        .toList();
    database.insert(connection, EFFECTS, EFFECT, rows);
  }

  private List<Object[]> rows(MarkRow template, List<ClaimRequest> batch) {
    return batch.stream()
        .sorted((one, two) -> one.key().compareTo(two.key()))
        .map(it -> template.of(
            database.key(it.key()), database.bits(it.nonce().high(), it.nonce().low())))
        .toList();
  }
}
