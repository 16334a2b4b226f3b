package io.hapax.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * Expands the statements of a dialect for a table and a batch, and binds their common parameters.
 */
class SqlTemplates {

  private static final String EXPIRES = "expires_at_us";

  /**
   * Keeps the value of the only indexed column besides the key, so that the update stays on its
   * page. A mark that is claimed so late that the purge would look at it too early gets a new
   * value.
   */
  private static final String EXPIRY = "CASE WHEN m.expires_at_us < s.claimed_at_us + ${retention}"
      + " THEN s.expires_at_us ELSE m.expires_at_us END";

  /** The mark still belongs to the claim. */
  private static final String CURRENT =
      "m.state = 1 AND m.nonce = s.was_nonce AND m.token = s.was_token";

  /** The row is as it was read, and the last moment has not passed. */
  private static final String UNCHANGED =
      "m.version = s.was_version AND m.token = s.was_token AND ${moment} <= s.not_after_us";

  /** The assignments of a settlement. A DONE row drops the columns that only people read. */
  private static final String SETTLED = """
      ${to}state = s.state, ${to}until_us = ${moment} + s.until_us, ${to}attempt = s.attempt,
        ${to}flags = s.flags, ${to}detail = s.detail, ${to}version = m.version + 1,
        ${to}owner = CASE WHEN s.state <> 3 THEN m.owner END,
        ${to}coordinates = CASE WHEN s.state <> 3 THEN m.coordinates END,
        ${to}scope = CASE WHEN s.state <> 3 THEN m.scope END,
        ${to}message_id = CASE WHEN s.state <> 3 THEN m.message_id END
      """;

  /**
   * The retention has passed, both of this store and of the store that claimed the mark. The latter
   * is in the indexed column, counted from a claim at most an hour before the last one.
   */
  private static final String DONE_IS_OVER = """
      m.until_us < ${now} - ${retention}
        AND m.until_us < ${now} - (m.expires_at_us - m.claimed_at_us - ${slack})
      """;

  /**
   * The mark may be removed. A renewed lease and a retry that is not due have a time in the future.
   */
  private static final String OVER = """
      ((m.state = 3 AND ${done_is_over})
        OR (m.state <> 3 AND m.until_us < ${now} - ${open_retention}))
      """;

  /** How many plans of one statement a connection may make; ten times as many rows lie between. */
  private static final int PLANS = 6;

  private final Dialect dialect;
  private final JdbcSettings settings;
  private final String table;
  private final AtomicLong insertedRows = new AtomicLong();
  private volatile Duration clockOffset = Duration.ZERO;

  SqlTemplates(Dialect dialect, JdbcSettings settings, String table) {
    this.dialect = dialect;
    this.settings = settings;
    this.table = table;
  }

  void setClockOffset(Duration offset) {
    clockOffset = offset;
  }

  /** Expands a statement without a batch. */
  String text(String template) {
    List<String> columns =
        Column.ofRow(settings.retention()).stream().map(Column::name).toList();
    List<String> changing = columns.stream().filter(name -> !name.equals("k")).toList();
    return template
        .replace("${current}", CURRENT)
        .replace("${unchanged}", UNCHANGED)
        .replace("${settled}", SETTLED.strip())
        .replace("${over}", OVER.strip())
        .replace("${done_is_over}", DONE_IS_OVER.strip())
        .replace("${columns}", String.join(", ", columns))
        .replace("${values}", inBatch(columns))
        .replace("${changing}", String.join(", ", changing))
        .replace("${changed}", changed(changing))
        .replace("${assignments}", assignments(changing))
        .replace("${first_entries}", dialect.first(":entries"))
        .replace("${first_limit}", dialect.first(":limit"))
        .replace("${to}", dialect.target())
        .replace("${moment}", dialect.moment())
        .replace("${now}", dialect.now())
        .replace("${retention}", Long.toString(settings.retention().doneMicros()))
        .replace("${open_retention}", Long.toString(settings.retention().openMicros()))
        .replace("${slack}", Long.toString(Retention.SLACK_MICROS))
        .replace("${table}", table);
  }

  private static String inBatch(List<String> columns) {
    return columns.stream().map("s."::concat).collect(Collectors.joining(", "));
  }

  private static String changed(List<String> columns) {
    return columns.stream().map(SqlTemplates::changed).collect(Collectors.joining(", "));
  }

  private static String changed(String column) {
    return column.equals(EXPIRES) ? EXPIRY : "s." + column;
  }

  private static String assignments(List<String> columns) {
    return columns.stream()
        .map(it -> "${to}" + it + " = " + changed(it))
        .collect(Collectors.joining(", "));
  }

  /** Expands a statement with a batch. */
  <I> WithBatch<I> withBatch(String template, List<Column<I>> columns) {
    return new WithBatch<>(
        text(template.replace("${rows}", dialect.rows().relation(columns))), columns);
  }

  /** Binds the parameters that any statement may have. */
  void bindCommon(SqlStatement<?> statement) {
    statement
        .bind("offset_us", clockOffset.toNanos() / 1000)
        .bind("lock_wait", Long.toString(settings.lockWait().toMillis()));
  }

  /** Returns the {@code end_us} that a query finds; empty if it is null. */
  static OptionalLong end(Query query) {
    return query
        .map((row, context) -> {
          long end = row.getLong("end_us");
          return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(end);
        })
        .one();
  }

  /** Reads one row. */
  @FunctionalInterface
  interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  /**
   * A statement with a batch; each item is a row. Where a connection keeps a plan, the text of the
   * statement changes when this store has inserted ten times as many rows: a plan that reads the
   * whole table, made while it was small, would otherwise serve until the server analyses the
   * table.
   */
  final class WithBatch<I> {

    private final List<String> texts;
    private final boolean inserts;
    private final List<Column<I>> columns;

    private WithBatch(String sql, List<Column<I>> columns) {
      this.texts = dialect.keepsPlans()
          ? IntStream.range(0, PLANS)
              .mapToObj(plan -> sql + "/* plan " + plan + " */")
              .toList()
          : List.of(sql);
      this.inserts = sql.contains("INSERT INTO");
      this.columns = columns;
    }

    private String sql(Rows.Part<I> part) {
      long rows = insertedRows.addAndGet(inserts ? part.items().size() : 0);
      int plan = Long.toString(rows).length() - 1;
      return texts.get(Math.min(plan, texts.size() - 1));
    }

    List<Rows.Part<I>> parts(List<I> items) {
      return dialect.rows().parts(columns, items);
    }

    int execute(Handle handle, List<I> items, Consumer<SqlStatement<?>> more) {
      return parts(items).stream().mapToInt(part -> execute(handle, part, more)).sum();
    }

    int execute(Handle handle, Rows.Part<I> part, Consumer<SqlStatement<?>> more) {
      var statement = handle.createUpdate(sql(part));
      bind(statement, part, more);
      return statement.execute();
    }

    void query(Handle handle, List<I> items, Consumer<SqlStatement<?>> more, RowReader reader) {
      parts(items).forEach(part -> query(handle, part, more, reader));
    }

    void query(Handle handle, Rows.Part<I> part, Consumer<SqlStatement<?>> more, RowReader reader) {
      var query = handle.createQuery(sql(part));
      bind(query, part, more);
      query
          .map((row, context) -> {
            reader.read(row);
            return Boolean.TRUE;
          })
          .forEach(read -> {});
    }

    private void bind(
        SqlStatement<?> statement, Rows.Part<I> part, Consumer<SqlStatement<?>> more) {
      part.binding().accept(statement);
      bindCommon(statement);
      more.accept(statement);
    }
  }
}
