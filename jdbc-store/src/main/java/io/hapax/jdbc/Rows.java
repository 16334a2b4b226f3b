package io.hapax.jdbc;

import java.util.List;
import org.jdbi.v3.core.statement.SqlStatement;

/** How a batch reaches the database as a relation, whatever its size: one statement, one plan. */
interface Rows {

  /** The relation {@code s} in a FROM clause. */
  <I> String relation(List<Column<I>> columns);

  /** Binds the items of the relation. */
  <I> void bind(SqlStatement<?> statement, List<Column<I>> columns, List<I> items);
}
