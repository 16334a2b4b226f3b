package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.store.MarkQuery;
import io.hapax.store.MarkQuery.Kind;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

@TestDatabase.OnPostgres
class PostgresListTest extends ListTests {

  private long count(String column) throws SQLException {
    return number(
        "SELECT " + column + " FROM pg_stat_user_tables WHERE relname = '" + fixture.table() + "'");
  }

  @Test
  void the_index_is_paged_through_and_the_table_never_scanned() throws SQLException {
    claimed("stale");
    fill(2 * DONE);
    fixture.execute("ANALYZE " + fixture.table());
    await().until(() -> count("n_tup_ins") > 2 * DONE);
    long scansBefore = count("seq_scan");
    long indexBefore = count("idx_scan");

    for (Kind kind : Kind.values()) {
      store().list(MarkQuery.first(key("any").scope(), kind, 10));
    }

    await().until(() -> count("idx_scan") > indexBefore + 10);
    assertThat(count("seq_scan")).isEqualTo(scansBefore);
  }
}
