package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreContentionException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is the same through either driver. */
abstract class MySqlTransactionTests extends TransactionTests {

  private JdbcDedupStore patient() {
    return JdbcDedupStore.builder(fixture.pool())
        .table(fixture.table())
        .lockWait(Duration.ofSeconds(30))
        .build();
  }

  /** Holds a mark until two duplicates wait for it, then ends as the caller says. */
  private List<Future<List<ClaimAnswer>>> twoWaitFor(boolean success) throws Exception {
    JdbcDedupStore patient = patient();
    CountDownLatch holding = new CountDownLatch(1);
    Future<List<ClaimAnswer>> holder = threads.submit(() ->
        patient.<Exception>runOnce(List.of(request("a")), (connection, answers) -> {
          holding.countDown();
          await().until(() -> number(database.product.countBlocked) == 2);
          if (!success) {
            throw new IOException("no answer");
          }
          fixture.writeEffect(connection, effect("a"));
        }));
    assertThat(holding.await(30, TimeUnit.SECONDS)).isTrue();
    List<Future<List<ClaimAnswer>>> waiting = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      ClaimRequest request = request("a");
      waiting.add(threads.submit(() -> untilDecided(patient, request)));
    }
    if (success) {
      assertThat(holder.get(30, TimeUnit.SECONDS)).hasOnlyElementsOfType(Acquired.class);
    } else {
      assertThatThrownBy(() -> holder.get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(IOException.class);
    }
    return waiting;
  }

  /** InnoDB breaks one of two waiters off when the holder rolls back. */
  private List<ClaimAnswer> untilDecided(JdbcDedupStore store, ClaimRequest request)
      throws SQLException {
    while (true) {
      try {
        return runOnce(store, List.of(request));
      } catch (StoreContentionException deadlock) {
        assertThat(deadlock).hasMessageContaining("40001");
      }
    }
  }

  @Test
  void duplicates_that_wait_see_done_when_the_holder_commits() throws Exception {
    for (Future<List<ClaimAnswer>> duplicate : twoWaitFor(true)) {
      assertThat(duplicate.get(30, TimeUnit.SECONDS)).hasOnlyElementsOfType(ClaimAnswer.Done.class);
    }
    assertThat(effects("a")).isEqualTo(1);
  }

  @Test
  void one_waiting_caller_runs_it_when_the_holder_rolls_back() throws Exception {
    List<ClaimAnswer> answers = new ArrayList<>();
    for (Future<List<ClaimAnswer>> waiter : twoWaitFor(false)) {
      answers.addAll(waiter.get(30, TimeUnit.SECONDS));
    }
    assertThat(answers).hasAtLeastOneElementOfType(Acquired.class);
    assertThat(answers).hasAtLeastOneElementOfType(ClaimAnswer.Done.class);
    assertThat(effects("a")).isEqualTo(1);
  }

  @Test
  void a_session_has_its_limits_back_and_its_own_lock_wait_in_the_handler() throws SQLException {
    String settings = "SELECT concat_ws(' ', @@session.innodb_lock_wait_timeout,"
        + " @@session.wait_timeout, @@session.transaction_isolation)";
    try (Connection real = fixture.pool().getConnection()) {
      execute(
          real,
          "SET SESSION innodb_lock_wait_timeout = 17, SESSION wait_timeout = 1234,"
              + " SESSION transaction_isolation = 'SERIALIZABLE'");
      JdbcDedupStore store = fixture.storeOn(new SingleConnection(real));

      store.<SQLException>runOnce(
          List.of(request("a")),
          (connection, answers) ->
              assertThat(text(connection, settings)).isEqualTo("17 60 READ-COMMITTED"));
      store.claim(List.of(request("b")), LEASE);
      assertThatThrownBy(() -> run(store, "c", tx -> {
            throw new IOException("no answer");
          }))
          .isInstanceOf(IOException.class);

      assertThat(text(real, settings)).isEqualTo("17 1234 SERIALIZABLE");
    }
  }

  @Test
  void a_sessions_stopped_clock_or_time_zone_does_not_move_the_stores_time() throws SQLException {
    try (Connection real = fixture.pool().getConnection()) {
      execute(real, "SET SESSION timestamp = 1000000, SESSION time_zone = '+11:00'");
      JdbcDedupStore store = fixture.storeOn(new SingleConnection(real));

      store.claim(List.of(request("a")), LEASE);
    }

    Instant claimed = store().find(List.of(key("a"))).get(0).orElseThrow().claimedAt();
    try (Connection connection = fixture.pool().getConnection()) {
      assertThat(claimed.getEpochSecond())
          .isCloseTo(
              Long.parseLong(text(connection, "SELECT floor(unix_timestamp(sysdate()))")),
              org.assertj.core.data.Offset.offset(60L));
    }
  }

  @Test
  void statements_that_commit_by_themselves_are_refused_before_they_run() {
    for (String text : List.of(
        "CREATE TABLE surprise (id INT)",
        "TRUNCATE TABLE effects",
        "ALTER TABLE effects ADD x INT",
        "RENAME TABLE effects TO surprise",
        "LOCK TABLES effects WRITE",
        "ANALYZE TABLE effects",
        "/*! CREATE */ TABLE surprise (id INT)",
        "/*!50000 COMMIT */",
        "/*M!100100 COMMIT */",
        "# all done\nCOMMIT",
        "/* /* */ COMMIT",
        "SET @@autocommit = 1",
        "SET SESSION autocommit = 1",
        "SELECT `;` ';'; COMMIT",
        "SELECT '\\'; COMMIT; SELECT '",
        "SELECT '\\''; COMMIT",
        "XA START 'mine'")) {
      assertThatThrownBy(() -> run(store(), "a", connection -> {
            fixture.writeEffect(connection, effect("a"));
            execute(connection, text);
          }))
          .as(text)
          .isInstanceOf(BrokenTransactionException.class)
          .hasMessageContaining("ran the statement");
      assertThat(state("a")).as(text).isEqualTo(MarkState.ABSENT);
      assertThat(effects("a")).as(text).isZero();
    }
  }

  @Test
  void a_temporary_table_does_not_end_the_transaction() throws SQLException {
    store().runOnce(List.of(request("a")), (connection, answers) -> {
      fixture.writeEffect(connection, effect("a"));
      execute(connection, "CREATE TEMPORARY TABLE notes (id INT)");
      execute(connection, "/* begin; */ INSERT INTO notes VALUES (1) -- ; COMMIT");
      execute(connection, "DROP TEMPORARY TABLE notes");
    });

    assertThat(state("a")).isEqualTo(MarkState.DONE);
    assertThat(effects("a")).isEqualTo(1);
  }

  @Test
  void a_hidden_commit_is_reported_with_the_committed_marks() {
    for (String hidden : List.of("EXECUTE IMMEDIATE 'COMMIT'", "SET @x = 1, autocommit = 1")) {
      String id = hidden.substring(0, 7);
      assertThatThrownBy(() -> run(store(), id, connection -> {
            fixture.writeEffect(connection, effect(id));
            execute(connection, hidden);
          }))
          .isInstanceOf(BrokenTransactionException.class)
          .hasMessageContaining("these marks were committed")
          .hasMessageContaining(key(id).toString());
      assertThat(state(id)).isEqualTo(MarkState.PROCESSING);
    }
  }

  @Test
  void an_idle_transaction_frees_its_mark_after_the_idle_limit() throws SQLException {
    JdbcDedupStore store = JdbcDedupStore.builder(fixture.pool())
        .table(fixture.table())
        .idleLimit(Duration.ofSeconds(1))
        .build();

    assertThatThrownBy(() -> run(store, "a", connection -> {
          String own = text(connection, "SELECT connection_id()");
          await()
              .until(() ->
                  number("SELECT count(*) FROM information_schema.PROCESSLIST WHERE ID = " + own)
                      == 0);
          fixture.writeEffect(connection, effect("a"));
        }))
        .isInstanceOf(BrokenTransactionException.class);

    assertThat(runOnce("a")).hasOnlyElementsOfType(Acquired.class);
    assertThat(effects("a")).isEqualTo(1);
  }

  @Test
  void a_scope_with_a_blank_at_its_end_is_another_one_also_in_a_list() {
    claimed("a");
    fixture.advance(LEASE.multipliedBy(2));
    String scope = key("a").scope();

    assertThat(store().list(MarkQuery.first(scope, MarkQuery.Kind.STALE, 10))).hasSize(1);
    assertThat(store().list(MarkQuery.first(scope + " ", MarkQuery.Kind.STALE, 10)))
        .isEmpty();
  }

  @Test
  void ids_that_differ_by_a_blank_or_by_case_stay_apart() throws SQLException {
    List<ClaimAnswer> answers = runOnce("abc", "ABC", "abc ", "\u00e0bc");

    assertThat(answers).hasOnlyElementsOfType(Acquired.class);
    assertThat(Stream.of("abc", "ABC", "abc ", "\u00e0bc").map(this::state))
        .containsOnly(MarkState.DONE);
  }

  private List<ClaimRequest> tenKilobytes(int count, String prefix) {
    return IntStream.range(0, count)
        .mapToObj(i -> request(prefix + i + "x".repeat(10_000)))
        .toList();
  }

  @Test
  void five_hundred_and_a_thousand_ids_of_ten_kilobytes_are_claimed_at_once() {
    List<ClaimRequest> longerThanAStatement = tenKilobytes(1_000, "many");

    assertThat(store().claim(tenKilobytes(500, "fit"), LEASE))
        .hasOnlyElementsOfType(Acquired.class);
    assertThat(store().claim(longerThanAStatement, LEASE)).hasOnlyElementsOfType(Acquired.class);
    assertThat(store().find(longerThanAStatement.stream().map(ClaimRequest::key).toList()))
        .allMatch(Optional::isPresent);
  }
}
