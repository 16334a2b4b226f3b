package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * H2. It cannot read and insert in one statement, so a claim costs two. H2 does not check
 * savepoints on release, so the number of the transaction is compared.
 *
 * <p>H2 could return changed rows with {@code FINAL TABLE}, but treats that as a query. Changes
 * before a failure, or before H2 restarts the statement because of another transaction, are neither
 * undone nor returned. That would leave a mark without its effect.
 */
final class H2Dialect implements Dialect {

  private static final Rows ROWS = new ArrayRows(
      Map.of(
          Column.Type.UUID, "UUID",
          Column.Type.INTEGER, "INTEGER",
          Column.Type.BIGINT, "BIGINT",
          Column.Type.TEXT, "VARCHAR",
          Column.Type.BYTES, "VARBINARY"),
      " ARRAY");

  @Override
  public String ddl() {
    return "h2.sql";
  }

  /**
   * Compares names without case, because the database may fold them either way. With
   * {@code IGNORECASE=TRUE} the script makes other text columns, which serve as well.
   */
  @Override
  public Catalogue catalogue(String table) {
    String here = " WHERE UPPER(c.TABLE_NAME) = UPPER('" + Dialect.nameOf(table)
        + "') AND UPPER(c.TABLE_SCHEMA) = UPPER("
        + Dialect.schemaOf(table).map(name -> "'" + name + "'").orElse("CURRENT_SCHEMA") + ")";
    return new Catalogue(
        "SELECT c.TABLE_SCHEMA AS table_schema, c.TABLE_NAME AS table_name"
            + " FROM INFORMATION_SCHEMA.TABLES c" + here,
        """
        SELECT c.COLUMN_NAME AS name, c.IS_NULLABLE AS nullable,
          REPLACE(c.DATA_TYPE, 'VARCHAR_IGNORECASE', 'CHARACTER VARYING') || CASE WHEN c.CHARACTER_MAXIMUM_LENGTH < 1048576
            THEN '(' || c.CHARACTER_MAXIMUM_LENGTH || ')' ELSE '' END AS type
        FROM INFORMATION_SCHEMA.COLUMNS c
        """ + here,
        """
        SELECT c.INDEX_NAME AS name, c.COLUMN_NAME AS column_name,
          CASE WHEN c.IS_UNIQUE THEN 'UNIQUE' ELSE 'OTHER' END AS kind
        FROM INFORMATION_SCHEMA.INDEX_COLUMNS c
        """ + here + " ORDER BY c.INDEX_NAME, c.ORDINAL_POSITION",
        """
        SELECT c.INDEX_NAME AS name FROM INFORMATION_SCHEMA.INDEX_COLUMNS c
        """ + here + " AND c.IS_UNIQUE GROUP BY c.INDEX_NAME"
            + " HAVING SUM(CASE WHEN UPPER(c.COLUMN_NAME) = 'K' THEN 1 ELSE 0 END) = 0"
            + " ORDER BY c.INDEX_NAME");
  }

  @Override
  public String now() {
    return "(DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00',"
        + " CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT))";
  }

  /** Uses the clause of the standard, because some modes of H2 refuse LIMIT. */
  @Override
  public String first(String parameter) {
    return "FETCH FIRST " + parameter + " ROWS ONLY";
  }

  /** Compares with case in a database with {@code IGNORECASE=TRUE}, too. */
  @Override
  public String same(String text, String parameter) {
    return "CAST(" + text + " AS VARCHAR_CASESENSITIVE) = " + parameter;
  }

  @Override
  public Rows rows() {
    return ROWS;
  }

  @Override
  public String index(String table, String suffix) {
    return table + suffix;
  }

  @Override
  public String insert() {
    return """
          INSERT INTO ${table} (${columns}, version)
          SELECT ${values}, s.next_version FROM ${rows}
          WHERE ${now} <= s.not_after_us
            AND NOT EXISTS (SELECT 1 FROM ${table} m WHERE m.k = s.k)
        """;
  }

  @Override
  public String update() {
    return """
          MERGE INTO ${table} m USING (SELECT * FROM ${rows}) s
          ON m.k = s.k AND ${unchanged}
          WHEN MATCHED THEN UPDATE SET ${assignments}, version = s.next_version
        """;
  }

  @Override
  public String renew() {
    return """
          MERGE INTO ${table} m USING (SELECT * FROM ${rows}) s
          ON m.k = s.k AND ${current}
          WHEN MATCHED THEN UPDATE SET until_us = ${now} + CAST(:lease_us AS BIGINT),
            version = m.version + 1
        """;
  }

  @Override
  public String settle() {
    return """
          MERGE INTO ${table} m USING (SELECT * FROM ${rows}) s
          ON m.k = s.k AND ${current} AND m.attempt = s.was_attempt AND m.flags = s.was_flags
          WHEN MATCHED THEN UPDATE SET ${settled}
        """;
  }

  @Override
  public Restore enterAutocommit(Connection connection, JdbcSettings settings) throws SQLException {
    return H2Transaction.enter(connection, settings, true);
  }

  @Override
  public Transaction begin(Connection connection, JdbcSettings settings) throws SQLException {
    return new H2Transaction(connection, H2Transaction.enter(connection, settings, false));
  }

  @Override
  public Transaction join(Connection connection, JdbcSettings settings) throws SQLException {
    return H2Transaction.join(connection, settings);
  }

  @Override
  public Set<String> committing() {
    return Set.of(
        "ALTER",
        "ANALYZE",
        "BACKUP",
        "CHECKPOINT",
        "COMMENT",
        "CREATE",
        "DROP",
        "GRANT",
        "REVOKE",
        "RUNSCRIPT",
        "SHUTDOWN",
        "TRUNCATE");
  }

  @Override
  public Optional<String> durabilityProblem(Connection connection, String table)
      throws SQLException {
    if (Dialect.first(connection, "SELECT DATABASE_PATH()").isEmpty()) {
      return Optional.of("the database lives in memory only but must be a file");
    }
    String delay = setting(connection, "WRITE_DELAY");
    if (!delay.equals("0")) {
      return Optional.of(
          "WRITE_DELAY is " + delay + " ms but must be 0 (add ;WRITE_DELAY=0 to the URL)");
    }
    String reuse = setting(connection, "REUSE_SPACE");
    if (!reuse.equalsIgnoreCase("FALSE")) {
      return Optional.of("REUSE_SPACE is " + reuse + " but must be FALSE (add ;REUSE_SPACE=FALSE to"
          + " the URL with which the database is opened first)");
    }
    return Optional.empty();
  }

  /**
   * Returns all values that H2 reports for a setting: the one in the database file and the one in
   * force. They must all be right, because only the second one has an effect.
   */
  private static String setting(Connection connection, String name) throws SQLException {
    return Dialect.first(
            connection,
            "SELECT LISTAGG(DISTINCT SETTING_VALUE, ' and ') FROM INFORMATION_SCHEMA.SETTINGS"
                + " WHERE SETTING_NAME = '" + name + "'")
        .orElse("unknown");
  }
}
