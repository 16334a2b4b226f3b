package io.hapax.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches to a database as a relation, so that any size of batch needs one statement and one
 * plan. Also converts the 128 bits of a key or nonce.
 */
interface Rows {

  /** Returns the relation {@code s} for a FROM clause. */
  <I> String relation(List<Column<I>> columns);

  /** Splits a batch into the parts that one statement takes: one part, unless it is too long. */
  <I> List<Part<I>> parts(List<Column<I>> columns, List<I> items);

  /** The part of a batch that one statement takes. */
  record Part<I>(List<I> items, Consumer<SqlStatement<?>> binding) {}

  /** Converts 128 bits to a parameter outside a batch. */
  default Object bound(UUID bits) {
    return bits;
  }

  /** Reads the 128 bits of a column; null if the column is null. */
  default @Nullable UUID bits(ResultSet row, String column) throws SQLException {
    return row.getObject(column, UUID.class);
  }
}
