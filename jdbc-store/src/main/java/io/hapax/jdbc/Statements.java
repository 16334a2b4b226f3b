package io.hapax.jdbc;

import io.hapax.mark.Claim;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** The statements on the table, each with its batch as arrays: one round trip, one plan. */
final class Statements {

  private static final List<Column<Claim>> CURRENT = List.of(
      Column.uuid("k", claim -> Column.key(claim.key())),
      Column.uuid("was_nonce", claim -> Column.nonce(claim.nonce())),
      Column.bigint("was_token", Claim::token));

  private static final List<Column<Change>> SETTLED = List.of(
      Column.uuid("k", change -> Column.key(change.next().key())),
      Column.uuid(
          "was_nonce", change -> Column.nonce(change.was().mark().claim().nonce())),
      Column.bigint("was_token", change -> change.was().mark().claim().token()),
      Column.integer(
          "was_attempt", change -> change.was().mark().claim().attempt().number()),
      Column.integer(
          "was_flags", change -> Column.flags(change.was().mark().claim().attempt())),
      Column.bigint("until_us", change -> EpochMicros.of(change.next().until())),
      Column.integer("attempt", change -> change.next().claim().attempt().number()),
      Column.integer("state", change -> Column.code(change.next().state())),
      Column.integer("flags", change -> Column.flags(change.next().claim().attempt())),
      Column.bytes("detail", change -> change.next().detail().toByteArray()));

  private final Dialect dialect;
  private final JdbcSettings settings;
  private final List<Column<Change>> wholeRow;
  private volatile Duration clockOffset = Duration.ZERO;

  private final Listing listing;
  private final String read;
  private final String readOrInsert;
  private final String insert;
  private final String update;
  private final String renew;
  private final String settle;
  private final String purge;

  Statements(Dialect dialect, JdbcSettings settings) {
    this.dialect = dialect;
    this.settings = settings;
    List<Column<Change>> row = Column.ofRow(settings.retention());
    this.wholeRow = Stream.concat(row.stream(), Column.ofCondition().stream()).toList();
    SqlTemplates templates = new SqlTemplates(dialect, settings);
    this.listing = new Listing(templates, settings);
    this.read = templates.text("""
        SELECT ${now} AS now_us, s.k AS asked, m.*
        FROM ${rows} LEFT JOIN ${table} m ON m.k = s.k
        """, Column.KEY);
    this.readOrInsert = templates.text(dialect.readOrInsert().orElse(""), wholeRow);
    this.insert = templates.text(dialect.insert(), wholeRow);
    this.update = templates.text(dialect.update(), wholeRow);
    this.renew = templates.text(dialect.renew(), CURRENT);
    this.settle = templates.text(dialect.settle(), SETTLED);
    this.purge = templates.text(dialect.purge());
  }

  Dialect dialect() {
    return dialect;
  }

  void setClockOffset(Duration offset) {
    this.clockOffset = offset;
  }

  boolean readsAndInserts() {
    return !readOrInsert.isEmpty();
  }

  Snapshot read(Handle handle, List<MessageKey> keys) {
    return snapshot(handle, read, Column.KEY, keys, Function.identity());
  }

  /** The times of the changes are relative to the server's. */
  Snapshot readOrInsert(Handle handle, List<Change> templates) {
    return snapshot(handle, readOrInsert, wholeRow, templates, it -> it.next().key());
  }

  private <I> Snapshot snapshot(
      Handle handle,
      String sql,
      List<Column<I>> columns,
      List<I> items,
      Function<I, MessageKey> keyOf) {
    Map<UUID, MessageKey> keys =
        items.stream().map(keyOf).collect(Collectors.toMap(Column::key, Function.identity()));
    Map<MessageKey, StoredMark> marks = new HashMap<>();
    Set<MessageKey> inserted = new HashSet<>();
    List<Long> times = new ArrayList<>(1);
    boolean inserts = sql.equals(readOrInsert);
    query(handle, sql, columns, items, row -> {
      MessageKey key = keys.get(row.getObject("asked", UUID.class));
      if (key == null) {
        throw new IllegalStateException("the database answered a key that was not asked for");
      }
      if (times.isEmpty()) {
        times.add(row.getLong("now_us"));
      }
      if (inserts && row.getBoolean("inserted")) {
        inserted.add(key);
      } else if (row.getObject("k", UUID.class) != null) {
        marks.put(key, MarkReader.read(row, key));
      }
    });
    return new Snapshot(EpochMicros.toInstant(times.get(0)), marks, inserted, !inserts);
  }

  Set<MessageKey> insert(Handle handle, List<Change> changes) {
    return write(handle, insert, wholeRow, changes, () -> standing(handle, changes));
  }

  Set<MessageKey> update(Handle handle, List<Change> changes) {
    return write(handle, update, wholeRow, changes, () -> standing(handle, changes));
  }

  /** Where only a count is known, and it is short, none is returned: settling again finds out. */
  Set<MessageKey> settle(Handle handle, List<Change> changes) {
    return write(handle, settle, SETTLED, changes, Set::of);
  }

  private Set<MessageKey> write(
      Handle handle,
      String sql,
      List<Column<Change>> columns,
      List<Change> changes,
      Supplier<Set<MessageKey>> whenShort) {
    Set<MessageKey> all =
        changes.stream().map(change -> change.next().key()).collect(Collectors.toSet());
    if (!dialect.returnsChangedRows()) {
      return execute(handle, sql, columns, changes) == all.size() ? all : whenShort.get();
    }
    Set<UUID> written = new HashSet<>();
    query(handle, sql, columns, changes, row -> written.add(row.getObject("k", UUID.class)));
    return all.stream()
        .filter(key -> written.contains(Column.key(key)))
        .collect(Collectors.toSet());
  }

  private <I> int execute(Handle handle, String sql, List<Column<I>> columns, List<I> items) {
    var statement = handle.createUpdate(sql);
    bind(statement, columns, items);
    return statement.execute();
  }

  /** The changes that stand in the table exactly as they were to be written. */
  private Set<MessageKey> standing(Handle handle, List<Change> changes) {
    Map<MessageKey, StoredMark> marks = read(
            handle, changes.stream().map(change -> change.next().key()).toList())
        .marks();
    return changes.stream()
        .filter(change -> Optional.ofNullable(marks.get(change.next().key()))
            .filter(stored -> stored.version() == change.was().version() + 1)
            .filter(stored -> isWritten(change.next(), stored.mark()))
            .isPresent())
        .map(change -> change.next().key())
        .collect(Collectors.toSet());
  }

  private static boolean isWritten(Mark next, Mark stored) {
    return stored.claim().sameAs(next.claim())
        && stored.state() == next.state()
        && EpochMicros.of(stored.until()) == EpochMicros.of(next.until());
  }

  /** The new ends of the leases that were renewed. */
  Map<UUID, Instant> renew(Handle handle, List<Claim> claims, Duration lease) {
    Map<UUID, Instant> until = new HashMap<>();
    if (dialect.returnsChangedRows()) {
      var query = handle.createQuery(renew);
      bindLease(query, claims, lease);
      query
          .map((row, context) -> until.put(
              row.getObject("k", UUID.class), EpochMicros.toInstant(row.getLong("until_us"))))
          .forEach(previous -> {});
      return until;
    }
    var update = handle.createUpdate(renew);
    bindLease(update, claims, lease);
    if (update.execute() == claims.size()) {
      read(handle, claims.stream().map(Claim::key).toList())
          .marks()
          .forEach((key, stored) -> until.put(Column.key(key), stored.mark().until()));
    }
    return until;
  }

  private void bindLease(SqlStatement<?> statement, List<Claim> claims, Duration lease) {
    bind(statement, CURRENT, claims);
    statement.bind("lease_us", lease.toNanos() / 1000);
  }

  List<Mark> list(Handle handle, MarkQuery query) {
    String kind = switch (query.kind()) {
      case STALE -> "m.state = 1 AND m.until_us <= " + dialect.now();
      case IN_DOUBT -> "m.state IN (1, 2) AND m.flags >= " + Column.IN_DOUBT;
      case DEAD -> "m.state = 4";
    };
    return listing.list(handle, query, kind, offsetMicros());
  }

  int purge(Handle handle, int limit) {
    return handle
        .createUpdate(purge)
        .bind("offset_us", offsetMicros())
        .bind("retention_us", settings.retention().toNanos() / 1000)
        .bind("limit", limit)
        .execute();
  }

  private long offsetMicros() {
    return clockOffset.toNanos() / 1000;
  }

  private <I> void query(
      Handle handle, String sql, List<Column<I>> columns, List<I> items, RowReader reader) {
    var query = handle.createQuery(sql);
    bind(query, columns, items);
    query
        .map((row, context) -> {
          reader.read(row);
          return Boolean.TRUE;
        })
        .forEach(read -> {});
  }

  @FunctionalInterface
  private interface RowReader {
    void read(java.sql.ResultSet row) throws java.sql.SQLException;
  }

  private <I> void bind(SqlStatement<?> statement, List<Column<I>> columns, List<I> items) {
    for (Column<I> column : columns) {
      statement.bind(column.name(), array(column, items));
    }
    statement.bind("offset_us", offsetMicros());
    statement.bind("lock_wait", Long.toString(settings.lockWait().toMillis()));
  }

  private <I> Argument array(Column<I> column, List<I> items) {
    @Nullable
    Object[] elements =
        items.stream().map(column.value()).toArray(length -> emptyArray(column.type(), length));
    return (position, statement, context) -> statement.setArray(
        position,
        context.getConnection().createArrayOf(dialect.elementType(column.type()), elements));
  }

  private static @Nullable Object[] emptyArray(Column.Type type, int length) {
    return switch (type) {
      case UUID -> new UUID[length];
      case INTEGER -> new Integer[length];
      case BIGINT -> new Long[length];
      case TEXT -> new String[length];
      case BYTES -> new byte[length][];
    };
  }
}
