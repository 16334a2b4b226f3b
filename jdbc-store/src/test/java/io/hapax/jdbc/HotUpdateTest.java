package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Verdict;
import io.hapax.servers.LocalPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * PostgreSQL writes a changed row beside the old one, without touching an index, if no indexed
 * column changes and the page has room.
 */
@Tag("nightly")
class HotUpdateTest extends StoreTests {

  private static final int CYCLES = 40;
  private static final int BATCH = 250;

  private record Updates(long all, long hot) {}

  /**
   * A server of its own without autovacuum: a session that reads any table of the database, as
   * ANALYZE does, keeps old versions on their pages, which then have no room for the next.
   */
  private static final LocalPostgres SERVER =
      LocalPostgres.builder().setting("autovacuum", "off").start();

  @AfterAll
  static void stopServer() {
    SERVER.close();
  }

  @Override
  JdbcFixture open() {
    return new JdbcFixture(() -> Databases.postgres(SERVER, SERVER.jdbcUrl()));
  }

  private Updates updates() throws SQLException {
    try (Connection connection = fixture.pool().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables"
                + " WHERE relname = '" + fixture.table() + "'")) {
      row.next();
      return new Updates(row.getLong(1), row.getLong(2));
    }
  }

  @Test
  void claim_renewal_and_settlement_of_whole_batches_stay_on_their_pages() {
    Verdict atOnce = new Verdict.Retry(Duration.ZERO, false);
    for (int cycle = 0; cycle < CYCLES; cycle++) {
      List<Claim> claims = claimed(cycle);
      store().renew(claims, LEASE);
      settle(store(), claims, atOnce);
      settle(store(), claimed(cycle), Verdict.Done.WITHOUT_RESULT);
    }

    Updates seen = await().until(this::updates, all -> all.all() >= 4L * CYCLES * BATCH);
    assertThat(seen.hot() * 100.0 / seen.all()).as("%s", seen).isGreaterThan(98);
  }

  private List<Claim> claimed(int cycle) {
    List<ClaimRequest> requests = IntStream.range(0, BATCH)
        .mapToObj(i -> request("order-" + cycle + "-" + i))
        .toList();
    return claimed(store(), requests);
  }
}
