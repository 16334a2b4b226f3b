package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * MySQL 8 and MariaDB from 10.6 on, through either driver. With {@code ON DUPLICATE KEY UPDATE}
 * neither driver's row count distinguishes an insert from a duplicate. {@code INSERT IGNORE} counts
 * correctly, and with a binary key of fixed length it ignores only duplicates.
 * {@code UTC_TIMESTAMP} is one value for a whole statement and has no summer time.
 *
 * <p>Updates join from the batch to the rows, by the primary key and in the order of the batch.
 * Another join order would lock further rows and cause deadlocks.
 */
final class MySqlDialect implements Dialect {

  private static final String IN_ORDER =
      "${rows} STRAIGHT_JOIN ${table} AS m FORCE INDEX (PRIMARY) ON m.k = s.k ";

  private static final String UPDATE_IN_ORDER = "UPDATE " + IN_ORDER;

  private static final Set<String> COMMITTING = Set.of(
      "ALTER",
      "ANALYZE LOCAL",
      "ANALYZE NO_WRITE_TO_BINLOG",
      "ANALYZE TABLE",
      "BACKUP",
      "CACHE",
      "CHANGE",
      "CHECK",
      "CREATE",
      "DROP",
      "FLUSH",
      "GRANT",
      "IMPORT",
      "INSTALL",
      "LOAD INDEX",
      "LOCK",
      "OPTIMIZE",
      "RENAME",
      "REPAIR",
      "RESET",
      "REVOKE",
      "SET DEFAULT ROLE",
      "SET PASSWORD",
      "SHUTDOWN",
      "STOP",
      "TRUNCATE",
      "UNINSTALL",
      "UNLOCK",
      "XA");

  private static final List<String> IDLE_IN_TRANSACTION =
      List.of("idle_transaction_timeout", "idle_write_transaction_timeout");

  /** A smaller packet has no room for a useful batch. */
  private static final int LEAST_PACKET = 64 * 1024;

  private final MySqlTransaction.Variables variables;
  private final Rows rows;

  MySqlDialect(MySqlTransaction.Variables variables, long maxAllowedPacket) {
    this.variables = variables;
    this.rows = new JsonRows(maxAllowedPacket);
  }

  /**
   * Finds out the names of variables: servers know one of two names of the isolation, or both, and
   * only MariaDB has limits for idle transactions.
   */
  static MySqlDialect of(Connection connection) throws SQLException {
    MySqlVersion.of(connection).refuseIfTooOld();
    Map<String, String> known = variables(
        connection,
        "SESSION",
        "'transaction_isolation', 'tx_isolation', 'max_allowed_packet',"
            + " 'idle_transaction_timeout', 'idle_write_transaction_timeout'");
    return new MySqlDialect(
        new MySqlTransaction.Variables(
            known.containsKey("transaction_isolation") ? "transaction_isolation" : "tx_isolation",
            IDLE_IN_TRANSACTION.stream().filter(known::containsKey).toList()),
        Long.parseLong(known.getOrDefault("max_allowed_packet", "0")));
  }

  private static Map<String, String> variables(Connection connection, String scope, String names)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(
            "SHOW " + scope + " VARIABLES WHERE Variable_name IN (" + names + ")")) {
      Map<String, String> values = new HashMap<>();
      while (row.next()) {
        values.put(row.getString(1), row.getString(2));
      }
      return values;
    }
  }

  @Override
  public String ddl() {
    return "mysql.sql";
  }

  /** Accepts only the primary key, because the statements name it. */
  @Override
  public Catalogue catalogue(String table) {
    return new Catalogue(
        "SELECT TABLE_SCHEMA AS table_schema, TABLE_NAME AS table_name"
            + " FROM information_schema.TABLES" + where(table),
        "SELECT COLUMN_NAME AS name, COLUMN_TYPE AS type, IS_NULLABLE AS nullable"
            + " FROM information_schema.COLUMNS" + where(table),
        "SELECT INDEX_NAME AS name, COLUMN_NAME AS column_name,"
            + " IF(INDEX_NAME = 'PRIMARY' AND SUB_PART IS NULL, 'UNIQUE', 'OTHER') AS kind"
            + " FROM information_schema.STATISTICS" + where(table)
            + " ORDER BY INDEX_NAME, SEQ_IN_INDEX",
        "SELECT INDEX_NAME AS name FROM information_schema.STATISTICS" + where(table)
            + " AND NON_UNIQUE = 0 GROUP BY INDEX_NAME"
            + " HAVING SUM(COALESCE(COLUMN_NAME, '') = 'k' AND SUB_PART IS NULL) = 0"
            + " ORDER BY INDEX_NAME");
  }

  private static String where(String table) {
    String schema = Dialect.schemaOf(table).map(name -> "'" + name + "'").orElse("DATABASE()");
    return " WHERE TABLE_SCHEMA = " + schema + " AND TABLE_NAME = '" + Dialect.nameOf(table) + "'";
  }

  @Override
  public String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  @Override
  public String now() {
    return "(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6))"
        + " + CAST(:offset_us AS SIGNED))";
  }

  @Override
  public Rows rows() {
    return rows;
  }

  @Override
  public String target() {
    return "m.";
  }

  @Override
  public String same(String text, String parameter) {
    return "CAST(" + text + " AS BINARY) = CAST(CONVERT(" + parameter
        + " USING utf8mb4) AS BINARY)";
  }

  @Override
  public String index(String table, String suffix) {
    return Dialect.nameOf(table) + suffix;
  }

  @Override
  public String insert() {
    return """
        INSERT IGNORE INTO ${table} (${columns}, version)
        SELECT ${values}, s.next_version FROM ${rows}
        WHERE ${now} <= s.not_after_us
        """;
  }

  @Override
  public String update() {
    return UPDATE_IN_ORDER + """
        SET ${assignments}, m.version = s.next_version
        WHERE ${unchanged}
        """;
  }

  @Override
  public String renew() {
    return UPDATE_IN_ORDER + """
        SET m.until_us = ${now} + :lease_us, m.version = m.version + 1
        WHERE ${current}
        """;
  }

  @Override
  public String settle() {
    return UPDATE_IN_ORDER + """
        SET ${settled}
        WHERE ${current} AND m.attempt = s.was_attempt AND m.flags = s.was_flags
        """;
  }

  @Override
  public String joined() {
    return IN_ORDER;
  }

  /** Compares {@code read_only} as text, because it is a number or a word, by version. */
  @Override
  public String doneRows() {
    return "FROM " + IN_ORDER.strip()
        + "\nWHERE m.state = 3 AND CAST(@@global.read_only AS CHAR) IN ('0', 'OFF')\n";
  }

  @Override
  public String delete() {
    return "DELETE m FROM " + IN_ORDER;
  }

  @Override
  public Restore enterAutocommit(Connection connection, JdbcSettings settings) throws SQLException {
    return MySqlTransaction.enter(connection, settings, variables, true);
  }

  @Override
  public Transaction begin(Connection connection, JdbcSettings settings) throws SQLException {
    return MySqlTransaction.begin(connection, settings, variables);
  }

  @Override
  public Transaction join(Connection connection, JdbcSettings settings) throws SQLException {
    return MySqlTransaction.join(connection, settings, variables);
  }

  @Override
  public Set<String> committing() {
    return COMMITTING;
  }

  @Override
  public Set<String> harmless() {
    return Set.of("CREATE TEMPORARY", "CREATE OR REPLACE TEMPORARY", "DROP TEMPORARY");
  }

  @Override
  public List<StatementScreen.Reading> readings() {
    return List.of(new MySqlText(true), new MySqlText(false));
  }

  @Override
  public Optional<String> incompatibility(Connection connection, String table) throws SQLException {
    Map<String, String> session = variables(
        connection,
        "SESSION",
        "'binlog_format', 'log_bin', 'max_allowed_packet', 'sql_safe_updates'");
    long packet = Long.parseLong(session.getOrDefault("max_allowed_packet", "0"));
    if (packet < LEAST_PACKET) {
      return Optional.of(
          "max_allowed_packet is " + packet + " but must be at least " + LEAST_PACKET);
    }
    if (session.getOrDefault("sql_safe_updates", "OFF").equals("ON")) {
      return Optional.of("sql_safe_updates is ON but must be OFF: the server refuses updates of"
          + " several marks otherwise (add sessionVariables=sql_safe_updates=0 to the URL, or switch"
          + " it off on the server)");
    }
    if (session.getOrDefault("log_bin", "OFF").equals("ON")
        && session.getOrDefault("binlog_format", "ROW").equals("STATEMENT")) {
      return Optional.of("binlog_format is STATEMENT but must be ROW or MIXED while log_bin is ON:"
          + " InnoDB refuses to write under READ COMMITTED otherwise");
    }
    Optional<String> trigger = trigger(connection, table);
    if (trigger.isPresent()) {
      return Optional.of("table " + table + " has the trigger " + trigger.get()
          + " but must have none: MariaDB counts duplicates among the inserted rows then");
    }
    return Dialect.first(
            connection,
            "SELECT COALESCE(ENGINE, TABLE_TYPE) FROM information_schema.TABLES" + where(table))
        .filter(engine -> !engine.equalsIgnoreCase("InnoDB"))
        .map(engine -> "the engine of table " + table + " is " + engine
            + " but must be InnoDB (ALTER TABLE " + table + " ENGINE = InnoDB)");
  }

  /**
   * Returns an insert trigger. With one, MariaDB 11.4.5 counts a duplicate at the end of a batch as
   * inserted. Only a user with the TRIGGER privilege sees triggers.
   */
  private static Optional<String> trigger(Connection connection, String table) throws SQLException {
    return Dialect.first(
        connection,
        "SELECT t.TRIGGER_NAME FROM ("
            + "SELECT TRIGGER_NAME, EVENT_MANIPULATION, EVENT_OBJECT_SCHEMA AS TABLE_SCHEMA,"
            + " EVENT_OBJECT_TABLE AS TABLE_NAME FROM information_schema.TRIGGERS) AS t"
            + where(table) + " AND EVENT_MANIPULATION = 'INSERT'");
  }

  @Override
  public Optional<String> durabilityProblem(Connection connection, String table)
      throws SQLException {
    Map<String, String> global = variables(
        connection,
        "GLOBAL",
        "'innodb_flush_log_at_trx_commit', 'innodb_doublewrite', 'innodb_flush_method',"
            + " 'log_bin', 'sync_binlog'");
    String flush = global.getOrDefault("innodb_flush_log_at_trx_commit", "unknown");
    String doublewrite = global.getOrDefault("innodb_doublewrite", "unknown");
    String method = global.getOrDefault("innodb_flush_method", "unknown");
    String binlog = global.getOrDefault("sync_binlog", "unknown");
    if (!flush.equals("1")) {
      return Optional.of("innodb_flush_log_at_trx_commit is " + flush + " but must be 1");
    } else if (Set.of("OFF", "0", "DETECT_ONLY").contains(doublewrite)) {
      return Optional.of("innodb_doublewrite is " + doublewrite + " but must be ON");
    } else if (Set.of("nosync", "littlesync").contains(method)) {
      return Optional.of("innodb_flush_method is " + method + " but must be one that syncs");
    } else if (global.getOrDefault("log_bin", "OFF").equals("ON") && !binlog.equals("1")) {
      // After a crash InnoDB rolls back prepared transactions that the binary log has lost.
      return Optional.of("sync_binlog is " + binlog + " but must be 1 while log_bin is ON");
    }
    return Optional.empty();
  }
}
