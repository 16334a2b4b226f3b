package io.hapax.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * How a batch reaches the database as a relation, whatever its size: one statement, one plan. And
 * how the database keeps the 128 bits of a key or nonce.
 */
interface Rows {

  /** The relation {@code s} in a FROM clause. */
  <I> String relation(List<Column<I>> columns);

  /** The parts that a batch is sent in, each with one statement: one, unless it is too long. */
  <I> List<Part<I>> parts(List<Column<I>> columns, List<I> items);

  /**
   * What one statement takes of a batch.
   *
   * @param items the items
   * @param binding binds them to a statement
   * @param <I> what a row is made of
   */
  record Part<I>(List<I> items, Consumer<SqlStatement<?>> binding) {}

  /** What a parameter of 128 bits is bound to outside a batch. */
  default Object bound(UUID bits) {
    return bits;
  }

  /** The 128 bits of a column; null if the row has none. */
  default @Nullable UUID bits(ResultSet row, String column) throws SQLException {
    return row.getObject(column, UUID.class);
  }
}
