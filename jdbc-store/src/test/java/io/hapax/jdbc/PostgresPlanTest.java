package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Verdict;
import io.hapax.servers.LocalPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Whatever PostgreSQL knows of a table, no verb looks through all of it, unless its batch is large
 * for the table. A plan is made anew for each of the first executions on a connection, with the
 * size of the batch known; later ones share a plan.
 */
class PostgresPlanTest extends StoreTests {

  private static final int TIMES = 6;

  private static final LocalPostgres SERVER = LocalPostgres.builder()
      .setting("autovacuum", "off")
      .setting("logging_collector", "on")
      .start();

  private final Map<String, Long> scans = new LinkedHashMap<>();
  private long before;

  @AfterAll
  static void stopServer() {
    SERVER.close();
  }

  @Override
  JdbcFixture open() {
    return new JdbcFixture(
        () -> Databases.postgres(SERVER, SERVER.jdbcUrl() + "?prepareThreshold=1"));
  }

  private void fill(int marks) {
    fixture.execute("INSERT INTO " + fixture.table()
        + " (k, nonce, token, fingerprint, claimed_at_us, until_us, expires_at_us, version, attempt,"
        + " state, flags, detail) SELECT gen_random_uuid(), gen_random_uuid(), 1, 0, n, n, n, 2, 1, 3,"
        + " 0, '' FROM generate_series(1, " + marks + ") AS n");
  }

  private long sequentialScans(Connection session) throws SQLException {
    execute(session, "SELECT pg_stat_force_next_flush()");
    return number(
        "SELECT seq_scan FROM pg_stat_user_tables WHERE relname = '" + fixture.table() + "'");
  }

  private void assertThatScansAreCounted(Connection session) throws SQLException {
    long none = sequentialScans(session);
    execute(session, "SELECT max(version) FROM " + fixture.table());
    before = sequentialScans(session);
    assertThat(before).isEqualTo(none + 1);
  }

  private void count(String verb, Connection session) throws SQLException {
    long now = sequentialScans(session);
    scans.merge(verb, now - before, Long::sum);
    before = now;
  }

  private List<ClaimRequest> requests(String name, int size) {
    return IntStream.range(0, size).mapToObj(i -> request(name + i)).toList();
  }

  private void everyVerb(JdbcDedupStore store, Connection session, String name, int size)
      throws SQLException {
    String with = " of " + name.substring(0, name.lastIndexOf('/', name.length() - 2));
    List<Claim> first = claimed(store, requests(name, size));
    count("claim" + with, session);
    assertThat(store.claim(requests(name, size), LEASE)).hasSize(size);
    count("claim of known ids" + with, session);
    store.renew(first, LEASE);
    count("renew" + with, session);
    settle(store, first, new Verdict.Retry(Duration.ZERO, false));
    count("settle RETRY" + with, session);
    List<Claim> second = claimed(store, requests(name, size));
    count("claim of retries" + with, session);
    settle(store, second, Verdict.Done.WITHOUT_RESULT);
    count("settle DONE" + with, session);
    settle(store, first, Verdict.Done.WITHOUT_RESULT);
    count("late settle" + with, session);
    store.find(first.stream().map(Claim::key).toList());
    count("find" + with, session);
    store.runOnce(requests(name + "T1-", size), (transaction, answers) -> {});
    count("runOnce" + with, session);
    store.completeWith(claimed(store, requests(name + "T2-", 1)).get(0), transaction -> {});
    count("completeWith", session);
  }

  private void everyVerb(String table, List<Integer> batches) throws SQLException {
    for (int size : batches) {
      try (Connection session = fixture.pool().getConnection()) {
        JdbcDedupStore store = fixture.storeOn(new SingleConnection(session));
        assertThatScansAreCounted(session);
        for (int time = 0; time < TIMES; time++) {
          everyVerb(store, session, table + "/" + size + "/" + time + "/", size);
        }
      }
    }
  }

  @Test
  void no_verb_ever_looks_through_the_table() throws SQLException {
    fill(20_000);
    everyVerb("20,000 unknown", List.of(1, 50));
    fixture.execute("ANALYZE " + fixture.table());
    everyVerb("20,000 known", List.of(1, 50));
    fill(80_000);
    everyVerb("100,000 unknown", List.of(1, 50, 500));
    fixture.execute("ANALYZE " + fixture.table());
    everyVerb("100,000 known", List.of(1, 50, 500));

    assertThat(scans).allSatisfy((verb, seen) -> assertThat(seen).as(verb).isZero());
  }

  @Test
  void plans_that_were_made_for_an_empty_table_leave_when_it_grows() throws SQLException {
    try (Connection session = fixture.pool().getConnection()) {
      JdbcDedupStore store = fixture.storeOn(new SingleConnection(session));
      for (int time = 0; time < TIMES; time++) {
        everyVerb(store, session, "young/1/" + time + "/", 1);
      }
      for (int batch = 0; batch < 20; batch++) {
        settle(store, claimed(store, requests(batch + "/", 500)), Verdict.Done.WITHOUT_RESULT);
      }
      fill(100_000);
      scans.clear();
      assertThatScansAreCounted(session);
      for (int time = 0; time < TIMES; time++) {
        everyVerb(store, session, "grown/1/" + time + "/", 1);
      }
    }

    assertThat(scans).allSatisfy((verb, seen) -> assertThat(seen).as(verb).isZero());
  }

  /**
   * Where statistics know DONE marks only, a plan must not expect a single other mark and compare
   * each of them with each item of the batch.
   */
  @Test
  void a_mark_is_compared_with_no_item_of_another_key() throws SQLException {
    fill(5_000);
    fixture.execute("ANALYZE " + fixture.table());
    try (Connection session = fixture.pool().getConnection()) {
      JdbcDedupStore store = fixture.storeOn(new SingleConnection(session));
      List<Claim> claims = IntStream.range(0, 4)
          .mapToObj(batch -> claimed(store, requests(batch + "/", 500)))
          .flatMap(List::stream)
          .toList();
      execute(session, "LOAD 'auto_explain'");
      execute(session, "SET auto_explain.log_min_duration = 0");
      execute(session, "SET auto_explain.log_analyze = on");

      store.renew(claims.subList(0, 80), LEASE);
      settle(store, claims.subList(0, 80), Verdict.Done.WITHOUT_RESULT);

      assertThat(text(session, "SELECT pg_read_file(pg_current_logfile())"))
          .contains("Update on " + fixture.table())
          .doesNotContain("Rows Removed by Join Filter");
    }
  }
}
