package io.hapax.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * Removes expired marks from a part of the index on {@code expires_at_us}. A part has a bounded
 * number of entries, so that each statement is short for any size of table. No statement waits for
 * a locked row; it skips it.
 */
final class PurgeStatements {

  /** The number of index entries in a part, besides those of equal time. */
  static final int PART = 10_000;

  private static final String WITHIN = "m.expires_at_us > :after_us AND m.expires_at_us <= :end_us";

  private final SqlTemplates templates;
  private final Rows rows;
  private final Optional<String> atOnce;
  private final String end;
  private final String young;
  private final String candidates;
  private final SqlTemplates.WithBatch<UUID> hold;
  private final SqlTemplates.WithBatch<UUID> delete;

  PurgeStatements(SqlTemplates templates, Dialect dialect) {
    List<Column<UUID>> key = List.of(Column.uuid("k", bits -> bits));
    this.templates = templates;
    this.rows = dialect.rows();
    this.atOnce = dialect.purge().map(templates::text);
    this.end = templates.text("""
        SELECT max(w.expires_at_us) AS end_us FROM (
          SELECT m.expires_at_us FROM ${table} m
          WHERE m.expires_at_us > :after_us AND m.expires_at_us < ${now} + ${slack}
          ORDER BY m.expires_at_us ${first_entries}) w
        """);
    this.young = templates.text("SELECT count(*) FROM ${table} m WHERE " + WITHIN
        + " AND m.state = 3 AND NOT (${done_is_over})");
    this.candidates = templates.text("SELECT m.k AS k FROM ${table} m WHERE " + WITHIN
        + " AND ${over} ORDER BY m.expires_at_us ${first_limit}");
    this.hold = templates.withBatch(
        "SELECT m.k AS k, m.state AS state FROM " + dialect.joined()
            + " WHERE ${over} FOR UPDATE SKIP LOCKED",
        key);
    this.delete = templates.withBatch(dialect.delete(), key);
  }

  /** Returns the end of the part after an entry; empty if no mark there is old enough. */
  OptionalLong end(Handle handle, long after) {
    return bound(handle.createQuery(end).bind("after_us", after).bind("entries", PART))
        .map((row, context) -> {
          long until = row.getLong("end_us");
          return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(until);
        })
        .one();
  }

  /** Counts the DONE marks of a part that must be kept. */
  int young(Handle handle, long after, long until) {
    return bound(handle.createQuery(young).bind("after_us", after).bind("end_us", until))
        .mapTo(int.class)
        .one();
  }

  /** Removes at most {@code limit} marks of a part, in the caller's transaction. */
  Purged remove(Handle handle, long after, long until, int limit) {
    if (atOnce.isPresent()) {
      return Purged.of(part(handle, atOnce.get(), after, until, limit)
          .map((row, context) -> row.getInt("state"))
          .list());
    }
    List<UUID> seen = part(handle, candidates, after, until, limit)
        .map((row, context) -> rows.bits(row, "k"))
        .list();
    return seen.isEmpty() ? Purged.NONE : remove(handle, seen);
  }

  /** Locks the candidates and checks them again, because they may have been claimed meanwhile. */
  private Purged remove(Handle handle, List<UUID> seen) {
    List<UUID> keys = new ArrayList<>();
    List<Integer> states = new ArrayList<>();
    hold.query(handle, seen, common -> {}, row -> {
      keys.add(Objects.requireNonNull(rows.bits(row, "k"), "k"));
      states.add(row.getInt("state"));
    });
    if (!keys.isEmpty()) {
      delete.execute(handle, keys, common -> {});
    }
    return Purged.of(states);
  }

  private Query part(Handle handle, String sql, long after, long until, int limit) {
    return bound(
        handle.createQuery(sql).bind("after_us", after).bind("end_us", until).bind("limit", limit));
  }

  private <S extends SqlStatement<S>> S bound(S statement) {
    templates.bindCommon(statement);
    return statement;
  }
}
