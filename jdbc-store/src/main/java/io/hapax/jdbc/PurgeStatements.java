package io.hapax.jdbc;

import io.hapax.mark.MarkState;
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

  private OptionalLong end(Handle handle, long after) {
    return SqlTemplates.end(
        bound(handle.createQuery(end).bind("after_us", after).bind("entries", PART)));
  }

  /** Counts the DONE marks of a part that must be kept. */
  private int young(Handle handle, long after, long until) {
    return bound(handle.createQuery(young).bind("after_us", after).bind("end_us", until))
        .mapTo(int.class)
        .one();
  }

  private List<MarkState> remove(Handle handle, long after, long until, int limit) {
    if (atOnce.isPresent()) {
      return part(handle, atOnce.get(), after, until, limit)
          .map((row, context) -> Column.state(row.getInt("state")))
          .list();
    }
    List<UUID> seen = part(handle, candidates, after, until, limit)
        .map((row, context) -> rows.bits(row, "k"))
        .list();
    return seen.isEmpty() ? List.of() : remove(handle, seen);
  }

  /** Locks the candidates and checks them again, because they may have been claimed meanwhile. */
  private List<MarkState> remove(Handle handle, List<UUID> seen) {
    List<UUID> keys = new ArrayList<>();
    List<MarkState> states = new ArrayList<>();
    hold.query(handle, seen, common -> {}, row -> {
      keys.add(Objects.requireNonNull(rows.bits(row, "k"), "k"));
      states.add(Column.state(row.getInt("state")));
    });
    if (!keys.isEmpty()) {
      delete.execute(handle, keys, common -> {});
    }
    return states;
  }

  private Query part(Handle handle, String sql, long after, long until, int limit) {
    return bound(
        handle.createQuery(sql).bind("after_us", after).bind("end_us", until).bind("limit", limit));
  }

  private <S extends SqlStatement<S>> S bound(S statement) {
    templates.bindCommon(statement);
    return statement;
  }

  /**
   * Goes once through the marks that may be removed, the oldest first, in steps. For one thread.
   * Any number of passes may run at once, because each skips rows that others have locked.
   */
  final class Pass {

    private long after = Long.MIN_VALUE;
    private boolean finished;

    /** Returns whether nothing more can be removed now. */
    boolean isFinished() {
      return finished;
    }

    /**
     * Removes at most {@code limit} marks from one part of the index, in the caller's transaction;
     * returns the states that they had. The pass ends at marks that were claimed recently. It also
     * ends at a part where most marks are DONE and must be kept, which happens after the retention
     * was raised or if another node has a shorter one.
     */
    List<MarkState> step(Handle handle, int limit) {
      OptionalLong end = end(handle, after);
      if (end.isEmpty()) {
        finished = true;
        return List.of();
      }
      List<MarkState> removed = remove(handle, after, end.getAsLong(), limit);
      if (removed.isEmpty()) {
        finished = young(handle, after, end.getAsLong()) > PART / 2;
      }
      if (removed.size() < limit) {
        after = end.getAsLong();
      }
      return removed;
    }
  }
}
