package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.store.MarkQuery;
import io.hapax.store.MarkQuery.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

@TestDatabase.OnMariaDb
class MariaDbListTest extends ListTests {

  /** Once to find where a window ends, once more for the greatest of these, once for its rows. */
  @Test
  void the_index_is_paged_through_and_the_table_never_scanned() throws SQLException {
    int marks = 8 * DONE;
    claimed("stale");
    fill(marks);
    fixture.execute("ANALYZE TABLE " + fixture.table());
    try (Connection real = fixture.pool().getConnection()) {
      JdbcDedupStore store = fixture.storeOn(new SingleConnection(real));
      for (Kind kind : Kind.values()) {
        long before = reads(real);

        store.list(MarkQuery.first(key("any").scope(), kind, 10));

        assertThat(reads(real) - before).as(kind.name()).isBetween(2L * marks, 4L * marks);
      }
    }
  }

  /** How many rows and entries of indexes the session has read, in whatever way. */
  private static long reads(Connection connection) throws SQLException {
    return Long.parseLong(text(
        connection,
        "SELECT CAST(sum(variable_value) AS INT) FROM information_schema.session_status"
            + " WHERE variable_name LIKE 'HANDLER\\_READ%'"));
  }
}
