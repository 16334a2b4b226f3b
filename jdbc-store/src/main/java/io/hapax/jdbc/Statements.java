package io.hapax.jdbc;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * Executes the statements on the table. Each is one round trip for any size of batch, unless the
 * batch exceeds the server's packet limit.
 */
final class Statements {

  private final Dialect dialect;
  private final Rows rows;
  private final MarkReader reader;
  private final SqlTemplates templates;
  private final Listing listing;
  private final PurgeStatements purge;
  private final SqlTemplates.WithBatch<MessageKey> read;
  private final SqlTemplates.WithBatch<MessageKey> done;
  private final Optional<SqlTemplates.WithBatch<Change>> readOrInsert;
  private final SqlTemplates.WithBatch<Change> insert;
  private final SqlTemplates.WithBatch<Change> update;
  private final SqlTemplates.WithBatch<Claim> renew;
  private final SqlTemplates.WithBatch<Change> settle;
  private final String keepResult;

  Statements(Dialect dialect, JdbcSettings settings, String table) {
    this(dialect, settings, new SqlTemplates(dialect, settings, table));
  }

  Statements(Dialect dialect, JdbcSettings settings, SqlTemplates templates) {
    this.dialect = dialect;
    this.rows = dialect.rows();
    this.reader = new MarkReader(rows);
    this.templates = templates;
    this.listing = new Listing(templates, dialect, settings);
    this.purge = new PurgeStatements(templates, dialect);
    List<Column<Change>> row = Column.ofChange(settings.retention());
    this.read = templates.withBatch("""
        SELECT ${now} AS now_us, s.k AS asked, m.*
        FROM ${rows} LEFT JOIN ${table} m ON m.k = s.k
        """, Column.KEY);
    this.done = templates.withBatch("""
        SELECT (SELECT ${now}) AS now_us, m.k, m.nonce, m.fingerprint, m.until_us, m.detail
        """ + dialect.doneRows(), Column.KEY);
    this.readOrInsert = dialect.readOrInsert().map(sql -> templates.withBatch(sql, row));
    this.insert = templates.withBatch(dialect.insert(), row);
    this.update = templates.withBatch(dialect.update(), row);
    this.renew = templates.withBatch(dialect.renew(), Column.CURRENT);
    this.settle = templates.withBatch(dialect.settle(), Column.SETTLED);
    this.keepResult = templates.text("""
        UPDATE ${table} SET detail = ?, version = version + 1
        WHERE k = ? AND nonce = ? AND token = ? AND state = 3
        """);
  }

  Dialect dialect() {
    return dialect;
  }

  boolean readsAndInserts() {
    return readOrInsert.isPresent();
  }

  void setClockOffset(Duration offset) {
    templates.setClockOffset(offset);
  }

  Snapshot read(Handle handle, List<MessageKey> keys) {
    return snapshot(handle, read, keys, Function.identity(), false);
  }

  /**
   * Reads the DONE marks among the keys; reads none from a replica. A mark that the database does
   * not return is not known to be done, so a result that was cut off is no error.
   */
  DoneMarks readDone(Handle handle, List<MessageKey> keys) {
    Map<UUID, MessageKey> asked = byHash(keys);
    Map<MessageKey, Mark> marks = new HashMap<>();
    AtomicLong now = new AtomicLong();
    done.query(handle, keys, common -> {}, row -> {
      MessageKey key = asked.get(rows.bits(row, "k"));
      if (key != null) {
        now.accumulateAndGet(row.getLong("now_us"), Math::max);
        marks.put(key, reader.readDone(row, key));
      }
    });
    return new DoneMarks(EpochMicros.toInstant(now.get()), marks);
  }

  /**
   * The DONE marks among the keys of a batch, with the fields that an answer needs, and the store's
   * time, that of the last statement if the batch needed several.
   */
  record DoneMarks(Instant now, Map<MessageKey, Mark> marks) {}

  /**
   * The marks that one statement read and inserted.
   *
   * @param complete whether a key in neither of them has no mark; false if another transaction may
   *     have inserted one meanwhile
   */
  record Snapshot(
      Instant now, Map<MessageKey, StoredMark> marks, Set<MessageKey> inserted, boolean complete) {}

  private static Map<UUID, MessageKey> byHash(List<MessageKey> keys) {
    return keys.stream().collect(Collectors.toMap(Column::key, Function.identity()));
  }

  /** Only if {@link #readsAndInserts()}. */
  Snapshot readOrInsert(Handle handle, List<Change> fresh) {
    return snapshot(handle, readOrInsert.orElseThrow(), fresh, it -> it.next().key(), true);
  }

  private <I> Snapshot snapshot(
      Handle handle,
      SqlTemplates.WithBatch<I> statement,
      List<I> items,
      Function<I, MessageKey> keyOf,
      boolean inserts) {
    Map<UUID, MessageKey> keys = byHash(items.stream().map(keyOf).toList());
    Map<MessageKey, StoredMark> marks = new HashMap<>();
    Set<MessageKey> inserted = new HashSet<>();
    Set<MessageKey> answered = new HashSet<>();
    List<Long> times = new ArrayList<>(1);
    statement.query(handle, items, common -> {}, row -> {
      MessageKey key = keys.get(rows.bits(row, "asked"));
      if (key == null) {
        throw new IllegalStateException("the database returned a key that was not requested");
      }
      answered.add(key);
      if (times.isEmpty()) {
        times.add(row.getLong("now_us"));
      }
      if (inserts && row.getBoolean("inserted")) {
        inserted.add(key);
      } else if (rows.bits(row, "k") != null) {
        marks.put(key, reader.read(row, key));
      }
    });
    if (answered.size() < items.size()) {
      throw new StoreException(
          "the database answered for " + answered.size() + " of " + items.size()
              + " keys: sql_select_limit, or maxRows in the URL, must not be less than a batch");
    }
    return new Snapshot(EpochMicros.toInstant(times.get(0)), marks, inserted, !inserts);
  }

  /** Calls {@code written} with the written keys after each statement. */
  void insert(Handle handle, List<Change> changes, Consumer<Set<MessageKey>> written) {
    write(handle, insert, changes, part -> writtenAs(handle, part), written);
  }

  /** Calls {@code written} with the written keys after each statement. */
  void update(Handle handle, List<Change> changes, Consumer<Set<MessageKey>> written) {
    write(handle, update, changes, part -> writtenAs(handle, part), written);
  }

  /**
   * Returns the settled keys; none for a statement whose row count is too low, because the caller
   * then settles row by row.
   */
  Set<MessageKey> settle(Handle handle, List<Change> changes) {
    Set<MessageKey> settled = new HashSet<>();
    write(handle, settle, changes, part -> Set.of(), settled::addAll);
    return settled;
  }

  /**
   * Writes the result of a DONE mark; returns whether the claim has made it DONE. It takes a bare
   * connection, because the handler's connection refuses what a handle would set.
   */
  boolean keepResult(Connection connection, Claim claim, Bytes result) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(keepResult)) {
      statement.setBytes(1, result.toByteArray());
      statement.setObject(2, rows.bound(Column.key(claim.key())));
      statement.setObject(3, rows.bound(Column.nonce(claim.nonce())));
      statement.setLong(4, claim.token());
      return statement.executeUpdate() == 1;
    }
  }

  private void write(
      Handle handle,
      SqlTemplates.WithBatch<Change> statement,
      List<Change> changes,
      Function<List<Change>, Set<MessageKey>> whenShort,
      Consumer<Set<MessageKey>> written) {
    for (Rows.Part<Change> part : statement.parts(changes)) {
      written.accept(write(handle, statement, part, whenShort));
    }
  }

  private Set<MessageKey> write(
      Handle handle,
      SqlTemplates.WithBatch<Change> statement,
      Rows.Part<Change> part,
      Function<List<Change>, Set<MessageKey>> whenShort) {
    Set<MessageKey> all =
        part.items().stream().map(change -> change.next().key()).collect(Collectors.toSet());
    if (!dialect.returnsChangedRows()) {
      int count = statement.execute(handle, part, common -> {});
      return count == all.size() ? all : whenShort.apply(part.items());
    }
    Set<UUID> written = new HashSet<>();
    statement.query(handle, part, common -> {}, row -> written.add(rows.bits(row, "k")));
    return all.stream()
        .filter(key -> written.contains(Column.key(key)))
        .collect(Collectors.toSet());
  }

  /** Returns the keys of the changes that the table holds exactly as this batch wrote them. */
  private Set<MessageKey> writtenAs(Handle handle, List<Change> changes) {
    Map<MessageKey, StoredMark> marks = read(
            handle, changes.stream().map(change -> change.next().key()).toList())
        .marks();
    return changes.stream()
        .filter(change -> Optional.ofNullable(marks.get(change.next().key()))
            .filter(change::isWrittenAs)
            .isPresent())
        .map(change -> change.next().key())
        .collect(Collectors.toSet());
  }

  /** Returns the new ends of the renewed leases. */
  Map<UUID, Instant> renew(Handle handle, List<Claim> claims, Duration lease) {
    long leaseMicros = lease.toNanos() / 1000;
    Map<UUID, Instant> until = new HashMap<>();
    if (dialect.returnsChangedRows()) {
      renew.query(
          handle,
          claims,
          statement -> statement.bind("lease_us", leaseMicros),
          row -> until.put(rows.bits(row, "k"), EpochMicros.toInstant(row.getLong("until_us"))));
    } else if (renew.execute(handle, claims, statement -> statement.bind("lease_us", leaseMicros))
        == claims.size()) {
      read(handle, claims.stream().map(Claim::key).toList())
          .marks()
          .forEach((key, stored) -> until.put(Column.key(key), stored.mark().until()));
    }
    return until;
  }

  PurgeStatements.Pass purgePass() {
    return purge.new Pass();
  }

  List<Mark> list(Handle handle, MarkQuery query) {
    return listing.list(handle, query);
  }
}
