package io.hapax.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * How a batch reaches the database as a relation, whatever its size: one statement, one plan. And
 * how the database keeps the 128 bits of a key or nonce.
 */
interface Rows {

  /** The relation {@code s} in a FROM clause. */
  <I> String relation(List<Column<I>> columns);

  /** Binds the items of the relation. */
  <I> void bind(SqlStatement<?> statement, List<Column<I>> columns, List<I> items);

  /** What a parameter of 128 bits is bound to outside a batch. */
  default Object bound(UUID bits) {
    return bits;
  }

  /** The 128 bits of a column; null if the row has none. */
  default @Nullable UUID bits(ResultSet row, String column) throws SQLException {
    return row.getObject(column, UUID.class);
  }
}
