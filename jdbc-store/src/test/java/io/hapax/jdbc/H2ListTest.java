package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.store.MarkQuery;
import io.hapax.store.MarkQuery.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.junit.jupiter.api.Test;

@TestDatabase.OnH2
class H2ListTest extends ListTests {

  @Test
  void every_statement_goes_along_the_index() throws SQLException {
    claimed("stale");
    fill(DONE);
    fixture.execute("ANALYZE");
    try (Connection real = fixture.pool().getConnection()) {
      SingleConnection counting = new SingleConnection(real);
      JdbcDedupStore store = fixture.storeOn(counting);
      counting.statements();
      for (Kind kind : Kind.values()) {
        store.list(MarkQuery.first(key("any").scope(), kind, 10));
      }
      List<String> used = counting.statements().stream().distinct().toList();

      assertThat(used).as("one for the windows, one for each kind").hasSize(5);
      for (String sql : used) {
        assertThat(plan(real, sql))
            .containsIgnoringCase(fixture.table() + "_expires_at_us:")
            .doesNotContainIgnoringCase("tableScan");
      }
    }
  }

  /** A plan is made before the parameters are known, so any will do. */
  private static String plan(Connection connection, String sql) throws SQLException {
    try (PreparedStatement explain = connection.prepareStatement("EXPLAIN " + sql)) {
      for (int i = 1; i <= explain.getParameterMetaData().getParameterCount(); i++) {
        explain.setNull(i, Types.NULL);
      }
      try (ResultSet row = explain.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }
}
