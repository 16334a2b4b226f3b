package io.hapax.jdbc;

import io.hapax.mark.EpochMicros;
import io.hapax.mark.Mark;
import io.hapax.store.MarkQuery;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Lists open and dead marks without an index on the state. It goes through the index on
 * {@code expires_at_us}, which few updates change. Each statement reads a bounded range of the
 * index, even if it finds few marks there.
 */
final class Listing {

  /** The number of index entries that a statement reads, besides those of equal time. */
  static final int WINDOW = 10_000;

  private static final UUID BEFORE_ALL = new UUID(0, 0);

  private final SqlTemplates templates;
  private final Rows rows;
  private final MarkReader reader;
  private final String end;
  private final Map<MarkQuery.Kind, String> pages = new EnumMap<>(MarkQuery.Kind.class);
  private final String position;
  private final long retentionMicros;

  Listing(SqlTemplates templates, Dialect dialect, JdbcSettings settings) {
    this.templates = templates;
    this.rows = dialect.rows();
    String scope = dialect.same("m.scope", ":scope");
    this.reader = new MarkReader(rows);
    this.retentionMicros = settings.retention().doneMicros();
    this.end = templates.text("""
        SELECT max(w.expires_at_us) AS end_us FROM (
          SELECT m.expires_at_us FROM ${table} m WHERE m.expires_at_us > :after_us
          ORDER BY m.expires_at_us ${first_entries}) w
        """);
    for (MarkQuery.Kind kind : MarkQuery.Kind.values()) {
      pages.put(
          kind, templates.text("""
          SELECT m.* FROM ${table} m
          WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us
            AND (m.expires_at_us > :last_us OR m.k > :last_k)
            AND ${scope} AND ${kind}
          ORDER BY m.expires_at_us, m.k ${first_limit}
          """.replace("${scope}", scope).replace("${kind}", condition(kind))));
    }
    this.position = templates.text("SELECT m.expires_at_us FROM ${table} m"
        + " WHERE m.k = :k AND m.claimed_at_us = :claimed_us");
  }

  List<Mark> list(Handle handle, MarkQuery query) {
    long lastUs = query.after().map(last -> position(handle, last)).orElse(Long.MIN_VALUE + 1);
    UUID lastKey = query.after().map(last -> Column.key(last.key())).orElse(BEFORE_ALL);
    List<Mark> found = new ArrayList<>();
    long after = lastUs - 1;
    OptionalLong until = end(handle, after);
    while (until.isPresent() && found.size() < query.limit()) {
      Query window = handle
          .createQuery(Objects.requireNonNull(pages.get(query.kind())))
          .bind("after_us", after)
          .bind("end_us", until.getAsLong())
          .bind("last_us", lastUs)
          .bind("last_k", rows.bound(lastKey))
          .bind("scope", query.scope())
          .bind("limit", query.limit() - found.size());
      templates.bindCommon(window);
      window.map((row, context) -> reader.readOpen(row)).forEach(found::add);
      after = until.getAsLong();
      until = found.size() < query.limit() ? end(handle, after) : OptionalLong.empty();
    }
    return found;
  }

  private static String condition(MarkQuery.Kind kind) {
    return switch (kind) {
      case STALE -> "m.state = 1 AND m.until_us <= ${now}";
      case LEASED -> "m.state = 1 AND m.until_us > ${now}";
      case IN_DOUBT -> "m.state IN (1, 2) AND m.flags >= " + Column.IN_DOUBT;
      case DEAD -> "m.state = 4";
    };
  }

  private OptionalLong end(Handle handle, long after) {
    return SqlTemplates.end(
        handle.createQuery(end).bind("after_us", after).bind("entries", WINDOW));
  }

  /**
   * Returns the index position of the last mark of the previous page. If the mark is gone, or was
   * claimed again and may have moved, returns its earliest possible position. Some marks may then
   * be listed twice, but none is left out.
   */
  private long position(Handle handle, Mark last) {
    return handle
        .createQuery(position)
        .bind("k", rows.bound(Column.key(last.key())))
        .bind("claimed_us", EpochMicros.of(last.claimedAt()))
        .map((row, context) -> row.getLong(1))
        .findOne()
        .orElse(EpochMicros.of(last.claimedAt()) + retentionMicros);
  }
}
