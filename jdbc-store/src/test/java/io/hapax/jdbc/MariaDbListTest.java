package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.store.MarkQuery;
import io.hapax.store.MarkQuery.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
class MariaDbListTest extends ListTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mariaDb);
  }

  @Override
  String numbers(int count) {
    return "(SELECT seq AS n FROM seq_1_to_" + count + ") AS numbers";
  }

  /**
   * Not of {@code RANDOM_BYTES}, which answers NULL now and then, without a word: without TLS the
   * server seeds a generator for every call, and refuses a seed in which a word of four bytes
   * repeats the one before it, as one in some hundreds of millions does.
   */
  @Override
  String randomKey() {
    return "UNHEX(MD5(CONCAT('" + UUID.randomUUID() + "', n)))";
  }

  @Override
  String bytes() {
    return "BINARY";
  }

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
