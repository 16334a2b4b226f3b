package io.hapax.jdbc;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * Sends a batch as one array for each column; the statement unnests them in parallel.
 *
 * @param elements the names of the types of elements
 * @param suffix what turns the type of an element into that of an array
 */
record ArrayRows(Map<Column.Type, String> elements, String suffix) implements Rows {

  private String element(Column<?> column) {
    return Optional.ofNullable(elements.get(column.type())).orElseThrow();
  }

  @Override
  public <I> String relation(List<Column<I>> columns) {
    String arrays = columns.stream()
        .map(column -> "CAST(:" + column.name() + " AS " + element(column) + suffix + ")")
        .collect(Collectors.joining(", "));
    String names = columns.stream().map(Column::name).collect(Collectors.joining(", "));
    return "unnest(" + arrays + ") AS s(" + names + ")";
  }

  @Override
  public <I> List<Part<I>> parts(List<Column<I>> columns, List<I> items) {
    return List.of(new Part<>(items, statement -> bind(statement, columns, items)));
  }

  private <I> void bind(SqlStatement<?> statement, List<Column<I>> columns, List<I> items) {
    for (Column<I> column : columns) {
      @Nullable
      Object[] values =
          items.stream().map(column.value()).toArray(length -> empty(column.type(), length));
      Argument array = (position, prepared, context) -> prepared.setArray(
          position, context.getConnection().createArrayOf(element(column), values));
      statement.bind(column.name(), array);
    }
  }

  private static @Nullable Object[] empty(Column.Type type, int length) {
    return switch (type) {
      case UUID -> new UUID[length];
      case INTEGER -> new Integer[length];
      case BIGINT -> new Long[length];
      case TEXT -> new String[length];
      case BYTES -> new byte[length][];
    };
  }
}
