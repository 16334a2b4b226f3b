package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * PostgreSQL. The clock is {@code clock_timestamp()}, because {@code now()} does not advance in a
 * transaction. A materialized {@code server} makes it one value for a statement. Setting
 * {@code lock_timeout} inside the statement that may wait saves a round trip.
 */
final class PostgresDialect implements Dialect {

  private static final Rows ROWS = new ArrayRows(
      Map.of(
          Column.Type.UUID, "uuid",
          Column.Type.INTEGER, "int4",
          Column.Type.BIGINT, "int8",
          Column.Type.TEXT, "text",
          Column.Type.BYTES, "bytea"),
      "[]");

  /**
   * The mark still belongs to the claim. The state is compared so that the planner joins by key:
   * where most marks are DONE it expects hardly any other row, and would compare each row that is
   * PROCESSING with each item of the batch. No token is negative.
   */
  private static final String CURRENT =
      "(m.state = 1 OR s.was_token < 0) AND m.nonce = s.was_nonce AND m.token = s.was_token";

  private static final String SERVER = """
      WITH server AS MATERIALIZED (
        SELECT ${now} AS now_us, set_config('lock_timeout', :lock_wait, true) AS lock_wait)
      """;

  @Override
  public String ddl() {
    return "postgresql.sql";
  }

  /** Uses {@code to_regclass}, which searches the search path as statements do. */
  @Override
  public Catalogue catalogue(String table) {
    String relation = "to_regclass('" + table + "')";
    return new Catalogue(
        """
        SELECT n.nspname AS table_schema, c.relname AS table_name
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.oid = %s
        """.formatted(relation), """
        SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
          CASE WHEN a.attnotnull THEN 'NO' ELSE 'YES' END AS nullable
        FROM pg_attribute a
        WHERE a.attrelid = %s AND a.attnum > 0 AND NOT a.attisdropped
        """.formatted(relation), """
        SELECT CAST(i.indexrelid AS text) AS name, a.attname AS column_name,
          CASE WHEN i.indisunique THEN 'UNIQUE' ELSE 'OTHER' END AS kind
        FROM pg_index i
          CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS c (attnum, position)
          JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = c.attnum
        WHERE i.indrelid = %s AND i.indisvalid AND i.indpred IS NULL
          AND c.position <= i.indnkeyatts
        ORDER BY i.indexrelid, c.position
        """.formatted(relation), """
        SELECT CAST(CAST(i.indexrelid AS regclass) AS text) AS name
        FROM pg_index i
        WHERE i.indrelid = %s AND i.indisunique AND NOT EXISTS (
          SELECT 1
          FROM unnest(i.indkey) WITH ORDINALITY AS c (attnum, position)
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = c.attnum
          WHERE a.attname = 'k' AND c.position <= i.indnkeyatts)
        ORDER BY name
        """.formatted(
                relation));
  }

  @Override
  public String now() {
    return "(CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)"
        + " + CAST(:offset_us AS bigint))";
  }

  @Override
  public String moment() {
    return "server.now_us";
  }

  @Override
  public Rows rows() {
    return ROWS;
  }

  /** Returns a name without a schema, because an index is always in the schema of its table. */
  @Override
  public String index(String table, String suffix) {
    return Dialect.nameOf(table) + suffix;
  }

  /**
   * Uses {@code IN} for the inserted keys, which makes a hash table. The planner assumes ten rows
   * for a batch of any size, and a join would scan all inserted rows for each row.
   */
  @Override
  public Optional<String> readOrInsert() {
    return Optional.of(SERVER + """
        , asked AS MATERIALIZED (SELECT * FROM ${rows}),
        inserted AS (
          INSERT INTO ${table} AS m (k, nonce, token, fingerprint, claimed_at_us, until_us,
            expires_at_us, attempt, state, flags, owner, coordinates, scope, message_id, detail,
            version)
          SELECT s.k, s.nonce, greatest(1, server.now_us), s.fingerprint,
            server.now_us + s.claimed_at_us, server.now_us + s.until_us,
            server.now_us + s.expires_at_us, s.attempt, s.state, s.flags, s.owner, s.coordinates,
            s.scope, s.message_id, s.detail, s.next_version
          FROM asked s CROSS JOIN server
          WHERE server.now_us <= s.not_after_us
          ORDER BY s.k
          ON CONFLICT (k) DO NOTHING
          RETURNING m.k)
        SELECT server.now_us, s.k AS asked, s.k IN (SELECT i.k FROM inserted i) AS inserted, m.*
        FROM asked s CROSS JOIN server LEFT JOIN ${table} m ON m.k = s.k
        """);
  }

  @Override
  public String insert() {
    return SERVER + """
        INSERT INTO ${table} AS m (${columns}, version)
        SELECT ${values}, s.next_version
        FROM ${rows} CROSS JOIN server
        WHERE server.now_us <= s.not_after_us
        ORDER BY s.k
        ON CONFLICT (k) DO NOTHING
        RETURNING m.k AS k
        """;
  }

  /**
   * Locks the rows in the order of their keys first, because an update may visit them in any order.
   */
  @Override
  public String update() {
    return SERVER + """
        , held AS MATERIALIZED (
          SELECT s.* FROM ${rows} CROSS JOIN server JOIN ${table} m ON m.k = s.k
          WHERE ${unchanged}
          ORDER BY m.k FOR UPDATE OF m)
        UPDATE ${table} AS m
        SET (${changing}, version) = (${changed}, s.next_version)
        FROM held s
        WHERE m.k = s.k
        RETURNING m.k AS k
        """;
  }

  /**
   * Skips rows that a {@code completeWith} holds: one long handler must not stop other renewals.
   */
  @Override
  public String renew() {
    return SERVER + """
        , held AS MATERIALIZED (
          SELECT m.k FROM ${rows} JOIN ${table} m ON m.k = s.k
          WHERE %s
          ORDER BY m.k FOR UPDATE OF m SKIP LOCKED)
        UPDATE ${table} AS m
        SET until_us = server.now_us + :lease_us, version = m.version + 1
        FROM held CROSS JOIN server
        WHERE m.k = held.k
        RETURNING m.k AS k, m.until_us AS until_us
        """.formatted(CURRENT);
  }

  @Override
  public String settle() {
    return SERVER + """
        , held AS MATERIALIZED (
          SELECT s.* FROM ${rows} JOIN ${table} m ON m.k = s.k
          WHERE %s AND m.attempt = s.was_attempt AND m.flags = s.was_flags
          ORDER BY m.k FOR UPDATE OF m SKIP LOCKED)
        UPDATE ${table} AS m
        SET ${settled}
        FROM held s CROSS JOIN server
        WHERE m.k = s.k
        RETURNING m.k AS k
        """.formatted(CURRENT);
  }

  /**
   * Compares with the array itself, which costs the server less than a join with its elements. A
   * standby evaluates the subquery once and reads no row.
   */
  @Override
  public String doneRows() {
    return """
        FROM ${table} m
        WHERE m.k = ANY (CAST(:k AS uuid[])) AND m.state = 3 AND (SELECT NOT pg_is_in_recovery())
        """;
  }

  /**
   * Deletes by key: in a partitioned table, rows of different partitions may have the same
   * {@code ctid}.
   */
  @Override
  public Optional<String> purge() {
    return Optional.of("""
        DELETE FROM ${table} WHERE k = ANY (ARRAY(
          SELECT m.k FROM ${table} m
          WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us AND ${over}
          ORDER BY m.expires_at_us LIMIT :limit
          FOR UPDATE SKIP LOCKED))
        RETURNING state
        """);
  }

  @Override
  public boolean returnsChangedRows() {
    return true;
  }

  /** A plan that several executions share is made once, and again after an {@code ANALYZE}. */
  @Override
  public boolean keepsPlans() {
    return true;
  }

  @Override
  public Restore enterAutocommit(Connection connection, JdbcSettings settings) throws SQLException {
    return Transactions.autocommit(connection, true);
  }

  @Override
  public Transaction begin(Connection connection, JdbcSettings settings) throws SQLException {
    return PostgresTransaction.begin(connection, settings);
  }

  @Override
  public Transaction join(Connection connection, JdbcSettings settings) throws SQLException {
    return PostgresTransaction.join(connection, settings);
  }

  @Override
  public Set<String> committing() {
    return Set.of();
  }

  /** Works without the table, and with a partitioned one. */
  @Override
  public Optional<String> durabilityProblem(Connection connection, String table)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("""
            SELECT current_setting('fsync'), current_setting('synchronous_commit'),
              current_setting('full_page_writes'), EXISTS (
                SELECT 1 FROM pg_class c
                WHERE c.relpersistence <> 'p' AND c.oid IN (
                  SELECT to_regclass('%1$s')
                  UNION ALL SELECT i.inhrelid FROM pg_inherits i
                  WHERE i.inhparent = to_regclass('%1$s')))
            """.formatted(table))) {
      row.next();
      if (row.getString(1).equals("off")) {
        return Optional.of("fsync is off but must be on");
      }
      if (row.getString(2).equals("off")) {
        return Optional.of("synchronous_commit is off but must not be");
      }
      if (row.getString(3).equals("off")) {
        return Optional.of("full_page_writes is off but must be on: a page that a crash of the"
            + " machine has torn cannot be repaired");
      }
      if (row.getBoolean(4)) {
        return Optional.of("table " + table + " or a partition of it is UNLOGGED but must not be: a"
            + " crash empties it (ALTER TABLE " + table + " SET LOGGED)");
      }
      return Optional.empty();
    }
  }
}
