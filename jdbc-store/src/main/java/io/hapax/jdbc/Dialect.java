package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a database says in its own words; all that another one needs, with the script of its table.
 * In every statement these stand for:
 *
 * <ul>
 *   <li>{@code ${table}} the table with its schema, {@code m} by custom; {@code ${rows}} the batch,
 *       as {@code s}
 *   <li>{@code ${now}} the server's time in epoch microseconds, {@code ${moment}} the same as one
 *       moment for the whole statement
 *   <li>{@code ${columns}}, {@code ${values}} the columns of a whole row but its version, and those
 *       of the batch; {@code ${changing}}, {@code ${changed}}, {@code ${assignments}} those that an
 *       update changes
 *   <li>{@code ${unchanged}} that a row is as it was read, and that it is not too late;
 *       {@code ${current}} that a claim is current; {@code ${settled}} what a settlement sets
 *   <li>{@code ${over}} that a row may be removed, {@code ${done_is_over}} that a DONE one may
 *   <li>{@code :offset_us}, {@code :lock_wait} (milliseconds, as text), and {@code :lease_us}, or
 *       {@code :limit} and a part of the index, {@code :after_us} to {@code :end_us}
 * </ul>
 */
interface Dialect {

  /** The name of the resource that holds the table's definition. */
  String ddl();

  /** How the catalogue tells of a table. */
  Catalogue catalogue(String table);

  /** A name in quotes, so that the database takes it as it is spelled. */
  default String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** The server's time in epoch microseconds, moved by {@code :offset_us}. */
  String now();

  /** The server's time where all of a statement needs the same; {@link #now()} by default. */
  default String moment() {
    return now();
  }

  /** What stands before a column that an update of {@code m} assigns to. */
  default String target() {
    return "";
  }

  /** That a column of text and a parameter are the same, to the last blank. */
  default String same(String text, String parameter) {
    return text + " = " + parameter;
  }

  /** How batches reach this database. */
  Rows rows();

  /** The name of an index in a script, for a table that may have a schema before its name. */
  String index(String table, String suffix);

  /**
   * Writes absent marks and, in the same statement, reads those that were there; empty if the
   * database cannot do both at once. Times in the batch are relative to the server's. Columns:
   * {@code now_us}, {@code asked}, {@code inserted}, and those of the table.
   */
  Optional<String> readOrInsert();

  /** Writes rows whose keys are absent. A duplicate may also end it as an error. */
  String insert();

  /** Replaces rows that still have the version and token that were read. */
  String update();

  /** Renews the leases of current claims. */
  String renew();

  /** Settles current claims; {@code until_us} in the batch is relative to the server's time. */
  String settle();

  /** The batch, and the rows with its keys as {@code m}, found by the primary key. */
  default String joined() {
    return "${rows} JOIN ${table} m ON m.k = s.k";
  }

  /**
   * Removes rows that are over from a part of the index and returns their {@code state}, passing by
   * those that are locked; empty if the database cannot do that at once.
   */
  default Optional<String> purge() {
    return Optional.empty();
  }

  /** Removes the rows with the keys of a batch. */
  default String delete() {
    return "DELETE FROM ${table} m WHERE m.k IN (SELECT s.k FROM ${rows})";
  }

  /**
   * Whether statements that change rows return the keys of those that they changed, in a column
   * {@code k}, and a renewal also {@code until_us}. Otherwise their count is trusted if it is that
   * of the batch, and else the rows are looked at.
   */
  boolean returnsChangedRows();

  /** Prepares a connection for statements that commit by themselves, and says how to undo that. */
  Restore enterAutocommit(Connection connection, JdbcSettings settings) throws SQLException;

  /** Begins a READ COMMITTED transaction with limits to waiting. */
  Transaction begin(Connection connection, JdbcSettings settings) throws SQLException;

  /**
   * Sets the limits to waiting in a transaction that a frame has begun. Restoring sets them back
   * and must happen before the transaction ends.
   *
   * @throws io.hapax.store.StoreException if the transaction is not READ COMMITTED
   */
  Transaction join(Connection connection, JdbcSettings settings) throws SQLException;

  /** The first words, in capitals, of statements that commit by themselves. */
  Set<String> committing();

  /** The first words of those that do not, although they begin like others that do. */
  default Set<String> harmless() {
    return Set.of();
  }

  /** The ways in which the database may read a text of SQL. */
  default List<StatementScreen.Reading> readings() {
    return List.of(SqlText::tokenEnd);
  }

  /**
   * Why this database cannot keep marks at all, with its table or before there is one, as a
   * sentence that names the setting; empty if it can.
   */
  default Optional<String> incompatibility(Connection connection, String table)
      throws SQLException {
    return Optional.empty();
  }

  /**
   * Why this database may forget a commit, with its table or before there is one, as a sentence
   * that names the setting; empty if it does not.
   */
  Optional<String> durabilityProblem(Connection connection, String table) throws SQLException;

  /** Gives the connection back as it was. */
  @FunctionalInterface
  interface Restore {
    void restore() throws SQLException;
  }

  /** How a transaction stands when its handler has returned. */
  enum TransactionStatus {
    /** It is the one that the marks were written in, and can be committed. */
    INTACT,
    /** An SQL error was swallowed: the database will not commit it. */
    FAILED,
    /** It is not the one that the marks were written in, or may not be. */
    ENDED
  }

  /** A transaction that marks and effects are written in. */
  interface Transaction extends Restore {

    /** The marks are written and the handler follows: remembers this moment. */
    void marksWritten() throws SQLException;

    /** The handler has returned. */
    TransactionStatus status() throws SQLException;
  }

  /** The schema before a table's name; empty if there is none. */
  static Optional<String> schemaOf(String table) {
    int dot = table.indexOf('.');
    return dot < 0 ? Optional.empty() : Optional.of(table.substring(0, dot));
  }

  /** A table's name without the schema before it. */
  static String nameOf(String table) {
    return table.substring(table.indexOf('.') + 1);
  }

  /** The dialect of the database behind a connection. */
  static Dialect of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return switch (product) {
      case "PostgreSQL" -> new PostgresDialect();
      case "H2" -> new H2Dialect();
      case "MySQL", "MariaDB" -> MySqlDialect.of(connection);
      default ->
        throw new IllegalArgumentException(
            "database is '" + product + "' but must be PostgreSQL, MySQL, MariaDB or H2");
    };
  }
}
