package io.hapax.jdbc;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes the statements of a dialect out for a table and a batch. */
final class SqlTemplates {

  /** What an update leaves alone: the key, and the one other column that is indexed. */
  private static final Set<String> FIXED = Set.of("k", "expires_at_us");

  private final Dialect dialect;
  private final JdbcSettings settings;

  SqlTemplates(Dialect dialect, JdbcSettings settings) {
    this.dialect = dialect;
    this.settings = settings;
  }

  /** A statement without a batch. */
  String text(String template) {
    List<String> columns =
        Column.ofRow(settings.retention()).stream().map(Column::name).toList();
    List<String> changing =
        columns.stream().filter(name -> !FIXED.contains(name)).toList();
    return template
        .replace("${columns}", String.join(", ", columns))
        .replace("${values}", inBatch(columns))
        .replace("${changing}", String.join(", ", changing))
        .replace("${changed}", inBatch(changing))
        .replace("${now}", dialect.now())
        .replace("${table}", settings.table());
  }

  private static String inBatch(List<String> columns) {
    return columns.stream().map("s."::concat).collect(Collectors.joining(", "));
  }

  /** A statement with a batch: arrays that the database makes a relation {@code s} of. */
  <I> String text(String template, List<Column<I>> batch) {
    String arrays = batch.stream()
        .map(column -> "CAST(:" + column.name() + " AS " + dialect.arrayType(column.type()) + ")")
        .collect(Collectors.joining(", "));
    String names = batch.stream().map(Column::name).collect(Collectors.joining(", "));
    return text(template.replace("${rows}", "unnest(" + arrays + ") AS s(" + names + ")"));
  }
}
