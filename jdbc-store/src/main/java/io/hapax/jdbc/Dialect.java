package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The SQL of one database. A new database needs an implementation of this interface and the script
 * of its table. Statements contain these placeholders:
 *
 * <ul>
 *   <li>{@code ${table}} the table with its schema, alias {@code m}; {@code ${rows}} the batch,
 *       alias {@code s}
 *   <li>{@code ${now}} the server's time in epoch microseconds, {@code ${moment}} the same as one
 *       value for the whole statement
 *   <li>{@code ${columns}}, {@code ${values}} the columns of a row without its version, and their
 *       values in the batch; {@code ${changing}}, {@code ${changed}}, {@code ${assignments}} those
 *       that an update changes
 *   <li>{@code ${unchanged}} the condition that a row is as it was read and the last moment has not
 *       passed; {@code ${current}} the condition that a claim is current; {@code ${settled}} the
 *       assignments of a settlement
 *   <li>{@code ${over}} the condition that a row may be removed, {@code ${done_is_over}} the same
 *       for a DONE row
 *   <li>{@code ${first_entries}}, {@code ${first_limit}} the clause that ends a query after that
 *       many rows
 *   <li>{@code :offset_us}, {@code :lock_wait} (milliseconds, as text), and {@code :lease_us}, or
 *       {@code :limit} and a range of the index, {@code :after_us} to {@code :end_us}
 * </ul>
 */
interface Dialect {

  /** Returns the name of the resource with the table's script. */
  String ddl();

  /** Returns queries for the catalogue about a table. */
  Catalogue catalogue(String table);

  /** Quotes a name, so that the database does not change its case. */
  default String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Returns the server's time in epoch microseconds plus {@code :offset_us}. */
  String now();

  /** Returns the server's time as one value for a whole statement; {@link #now()} by default. */
  default String moment() {
    return now();
  }

  /** Returns the prefix of a column that an update of {@code m} assigns. */
  default String target() {
    return "";
  }

  /** Compares a text column with a parameter exactly, including trailing blanks. */
  default String same(String text, String parameter) {
    return text + " = " + parameter;
  }

  /** Returns the clause that ends a query after a number of rows. */
  default String first(String parameter) {
    return "LIMIT " + parameter;
  }

  Rows rows();

  /** Returns the name of an index in a script; the table may have a schema before its name. */
  String index(String table, String suffix);

  /**
   * Inserts absent marks and reads existing ones in one statement; empty if the database cannot do
   * both at once. Times in the batch are relative to the server's. Columns: {@code now_us},
   * {@code asked}, {@code inserted}, and those of the table.
   */
  default Optional<String> readOrInsert() {
    return Optional.empty();
  }

  /** Inserts rows whose keys are absent. It may also fail with a duplicate key. */
  String insert();

  /** Replaces rows that still have the version and token that were read. */
  String update();

  /** Renews the leases of current claims. */
  String renew();

  /** Settles current claims; {@code until_us} in the batch is relative to the server's time. */
  String settle();

  /** Joins the batch with its rows by the primary key. */
  default String joined() {
    return "${rows} JOIN ${table} m ON m.k = s.k";
  }

  /**
   * Returns FROM and WHERE of a query for the DONE rows with the keys of a batch. A server that may
   * have replicas finds nothing if it is one: a proxy between pool and server may send a read with
   * autocommit to a replica.
   */
  default String doneRows() {
    return "FROM " + joined() + "\nWHERE m.state = 3\n";
  }

  /**
   * Removes expired rows in a range of the index, skips locked ones and returns their
   * {@code state}; empty if the database cannot do that in one statement.
   */
  default Optional<String> purge() {
    return Optional.empty();
  }

  default String delete() {
    return "DELETE FROM ${table} m WHERE m.k IN (SELECT s.k FROM ${rows})";
  }

  /**
   * Returns whether statements that change rows return the changed keys in a column {@code k}, and
   * a renewal also {@code until_us}. Otherwise the store trusts a row count that equals the batch,
   * and reads the rows if it does not.
   */
  default boolean returnsChangedRows() {
    return false;
  }

  /** Returns whether a connection keeps the plan that it made for the table of that time. */
  default boolean keepsPlans() {
    return false;
  }

  /** Prepares a connection for statements with autocommit and returns what restores it. */
  Restore enterAutocommit(Connection connection, JdbcSettings settings) throws SQLException;

  /** Begins a READ COMMITTED transaction with limits for lock waits and idle time. */
  Transaction begin(Connection connection, JdbcSettings settings) throws SQLException;

  /**
   * Sets the limits for lock waits and idle time in a transaction that a frame has begun. Restoring
   * sets them back and must happen before the transaction ends.
   *
   * @throws io.hapax.store.StoreException if the transaction is not READ COMMITTED
   */
  Transaction join(Connection connection, JdbcSettings settings) throws SQLException;

  /** Returns the first words, in capitals, of statements with an implicit commit. */
  Set<String> committing();

  /**
   * Returns the first words of statements without an implicit commit that begin like others that
   * have one.
   */
  default Set<String> harmless() {
    return Set.of();
  }

  /** Returns the ways in which the database may split SQL into tokens. */
  default List<StatementScreen.Reading> readings() {
    return List.of(SqlText::tokenEnd);
  }

  /**
   * Returns why this database cannot keep marks at all, as a sentence that names the setting; empty
   * if it can. The table need not exist.
   */
  default Optional<String> incompatibility(Connection connection, String table)
      throws SQLException {
    return Optional.empty();
  }

  /**
   * Returns why this database may lose a commit, as a sentence that names the setting; empty if it
   * does not. The table need not exist.
   */
  Optional<String> durabilityProblem(Connection connection, String table) throws SQLException;

  /**
   * Queries for a database's catalogue about one table.
   *
   * @param qualifiedName a query for the {@code table_schema} and {@code table_name} of the table
   *     that a statement would find under its name, as the catalogue spells them; no rows if it
   *     does not exist
   * @param columns a query for {@code name}, {@code type} as the table's script names it, and
   *     {@code nullable} (YES or NO); no rows if there is no such table
   * @param indexes a query for {@code name}, {@code kind} (UNIQUE or not) and {@code column_name}
   *     of each usable index, in the order of the columns
   * @param indexesWithoutKey a query for the {@code name} of each unique index that does not
   *     contain all of {@code k}: such an index makes two messages one
   */
  record Catalogue(
      String qualifiedName, String columns, String indexes, String indexesWithoutKey) {}

  /** Restores the session as it was. */
  @FunctionalInterface
  interface Restore {
    void restore() throws SQLException;
  }

  /** The state of a transaction when its handler has returned. */
  enum TransactionStatus {
    /** The transaction holds the marks and can be committed. */
    INTACT,
    /** An SQL error was swallowed: the database will not commit. */
    FAILED,
    /** The transaction that held the marks has ended, or may have. */
    ENDED
  }

  /** A transaction for marks and effects. */
  interface Transaction extends Restore {

    /** Remembers the transaction after the marks were written and before the handler runs. */
    void marksWritten() throws SQLException;

    /** Returns the state after the handler has returned. */
    TransactionStatus status() throws SQLException;

    /** Prepares another {@link #status} of a transaction that was intact. */
    default void askAgain() throws SQLException {}

    /** Returns when the server ends this transaction if it executes nothing; empty if never. */
    default Optional<IdleLimit> idleLimit() {
      return Optional.empty();
    }
  }

  /**
   * The setting that limits how long a transaction may execute nothing before the server ends it.
   */
  record IdleLimit(String setting, Duration time) {

    /**
     * Returns whether the limit is the likely reason for a lost connection. The client measures a
     * slightly shorter pause than the server, because messages take time.
     */
    boolean explains(Duration pause) {
      return pause.plus(time.dividedBy(10)).compareTo(time) >= 0;
    }

    @Override
    public String toString() {
      return setting + " (" + time + ")";
    }
  }

  /** Returns the first value that a query finds, as text; empty if it is null or there is none. */
  static Optional<String> first(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
    }
  }

  /** Returns the schema before a table's name; empty if there is none. */
  static Optional<String> schemaOf(String table) {
    int dot = table.indexOf('.');
    return dot < 0 ? Optional.empty() : Optional.of(table.substring(0, dot));
  }

  static String nameOf(String table) {
    return table.substring(table.indexOf('.') + 1);
  }

  /** Returns the dialect of a connection's database. */
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
