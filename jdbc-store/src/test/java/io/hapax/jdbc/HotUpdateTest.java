package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * PostgreSQL writes a changed row beside the old one, without touching an index, if no indexed
 * column changes and the page has room.
 */
class HotUpdateTest extends StoreTests {

  private static final int CYCLES = 40;
  private static final int BATCH = 250;

  private static final int ROUNDS = 4;

  private record Updates(long all, long hot) {}

  /** Some updates of a message, each batch under a name of its own. */
  private interface Round {
    void run(int cycle);
  }

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::postgres);
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

  private List<Claim> claimed(int cycle) {
    List<ClaimRequest> requests = IntStream.range(0, BATCH)
        .mapToObj(i -> request("order-" + cycle + "-" + i))
        .toList();
    return fixture.store().claim(requests, LEASE).stream()
        .map(answer -> ((Acquired) answer).claim())
        .toList();
  }

  private void settle(List<Claim> claims, Verdict verdict) {
    fixture
        .store()
        .settle(claims.stream().map(claim -> new Settlement(claim, verdict)).toList());
  }

  /**
   * In one round of a few: whoever looks at the table meanwhile, as an ANALYZE of autovacuum does,
   * keeps old versions on their pages for as long. An index that is touched shows in every round.
   */
  private void assertHot(int updatesOfAMessage, Round round) throws SQLException {
    List<Updates> seen = new ArrayList<>();
    Updates before = updates();
    for (int i = 0; i < ROUNDS && seen.stream().noneMatch(HotUpdateTest::isHot); i++) {
      for (int cycle = 0; cycle < CYCLES; cycle++) {
        round.run(i * CYCLES + cycle);
      }
      long expected = before.all() + (long) updatesOfAMessage * CYCLES * BATCH;
      Updates after = await().until(this::updates, updates -> updates.all() >= expected);
      seen.add(new Updates(after.all() - before.all(), after.hot() - before.hot()));
      before = after;
    }
    assertThat(seen).anyMatch(HotUpdateTest::isHot);
  }

  private static boolean isHot(Updates updates) {
    return updates.hot() * 100.0 / updates.all() > 98;
  }

  @Test
  void claim_and_settle_of_whole_batches_stay_on_their_pages() throws SQLException {
    assertHot(1, cycle -> settle(claimed(cycle), Verdict.Done.WITHOUT_RESULT));
  }

  @Test
  void renewals_stay_on_their_pages_too() throws SQLException {
    assertHot(2, cycle -> {
      List<Claim> claims = claimed(cycle);
      fixture.store().renew(claims, LEASE);
      settle(claims, Verdict.Done.WITHOUT_RESULT);
    });
  }

  @Test
  void so_do_attempts_that_follow_a_failed_one() throws SQLException {
    Verdict atOnce = new Verdict.Retry(Duration.ZERO, false);
    assertHot(3, cycle -> {
      settle(claimed(cycle), atOnce);
      settle(claimed(cycle), Verdict.Done.WITHOUT_RESULT);
    });
  }
}
