package io.hapax.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;

/** Writes the statements of a dialect out for a table and a batch, and binds what they all take. */
final class SqlTemplates {

  /** What an update leaves alone: the key, and the one other column that is indexed. */
  private static final Set<String> FIXED = Set.of("k", "expires_at_us");

  /** The mark is still as its owner holds it. */
  private static final String CURRENT =
      "m.state = 1 AND m.nonce = s.was_nonce AND m.token = s.was_token";

  /** The row is still as it was read, and it is not too late. */
  private static final String UNCHANGED =
      "m.version = s.was_version AND m.token = s.was_token AND ${moment} <= s.not_after_us";

  /** What a settlement sets; a DONE row forgets what people read. */
  private static final String SETTLED = """
      ${to}state = s.state, ${to}until_us = ${moment} + s.until_us, ${to}attempt = s.attempt,
        ${to}flags = s.flags, ${to}detail = s.detail, ${to}version = m.version + 1,
        ${to}owner = CASE WHEN s.state <> 3 THEN m.owner END,
        ${to}coordinates = CASE WHEN s.state <> 3 THEN m.coordinates END,
        ${to}scope = CASE WHEN s.state <> 3 THEN m.scope END,
        ${to}message_id = CASE WHEN s.state <> 3 THEN m.message_id END
      """;

  private final Dialect dialect;
  private final JdbcSettings settings;
  private volatile Duration clockOffset = Duration.ZERO;

  SqlTemplates(Dialect dialect, JdbcSettings settings) {
    this.dialect = dialect;
    this.settings = settings;
  }

  void setClockOffset(Duration offset) {
    clockOffset = offset;
  }

  /** Writes a statement without a batch out. */
  String text(String template) {
    List<String> columns =
        Column.ofRow(settings.retention()).stream().map(Column::name).toList();
    List<String> changing =
        columns.stream().filter(name -> !FIXED.contains(name)).toList();
    return template
        .replace("${current}", CURRENT)
        .replace("${unchanged}", UNCHANGED)
        .replace("${settled}", SETTLED.strip())
        .replace("${columns}", String.join(", ", columns))
        .replace("${values}", inBatch(columns))
        .replace("${changing}", String.join(", ", changing))
        .replace("${changed}", inBatch(changing))
        .replace("${assignments}", assignments(changing))
        .replace("${to}", dialect.target())
        .replace("${moment}", dialect.moment())
        .replace("${now}", dialect.now())
        .replace("${table}", settings.table());
  }

  private static String inBatch(List<String> columns) {
    return columns.stream().map("s."::concat).collect(Collectors.joining(", "));
  }

  private static String assignments(List<String> columns) {
    return columns.stream()
        .map(it -> "${to}" + it + " = s." + it)
        .collect(Collectors.joining(", "));
  }

  /** Writes a statement with a batch out. */
  <I> WithBatch<I> withBatch(String template, List<Column<I>> columns) {
    return new WithBatch<>(
        text(template.replace("${rows}", dialect.rows().relation(columns))), columns);
  }

  /** Binds what every statement may take. */
  void bindCommon(SqlStatement<?> statement) {
    statement
        .bind("offset_us", clockOffset.toNanos() / 1000)
        .bind("retention_us", settings.retention().toNanos() / 1000)
        .bind("lock_wait", Long.toString(settings.lockWait().toMillis()));
  }

  /** Reads one row. */
  @FunctionalInterface
  interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  /** A statement with a batch; an item is a row of it. */
  final class WithBatch<I> {

    private final String sql;
    private final List<Column<I>> columns;

    private WithBatch(String sql, List<Column<I>> columns) {
      this.sql = sql;
      this.columns = columns;
    }

    int execute(Handle handle, List<I> items, Consumer<SqlStatement<?>> more) {
      var statement = handle.createUpdate(sql);
      bind(statement, items, more);
      return statement.execute();
    }

    void query(Handle handle, List<I> items, Consumer<SqlStatement<?>> more, RowReader reader) {
      var query = handle.createQuery(sql);
      bind(query, items, more);
      query
          .map((row, context) -> {
            reader.read(row);
            return Boolean.TRUE;
          })
          .forEach(read -> {});
    }

    private void bind(SqlStatement<?> statement, List<I> items, Consumer<SqlStatement<?>> more) {
      dialect.rows().bind(statement, columns, items);
      bindCommon(statement);
      more.accept(statement);
    }
  }
}
