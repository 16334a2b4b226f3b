package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.Origin;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.StoreContentionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

/** What a handler can do to its transaction, and what two transactions do to each other. */
abstract class TransactionTests extends StoreTests {

  @Test
  void a_handle_of_jdbi_writes_in_the_transaction_and_nests_its_own_in_it() throws SQLException {
    store().runOnce(List.of(request("a"), request("b")), (connection, answers) -> {
      Jdbi jdbi = Jdbi.create(connection);
      jdbi.useHandle(handle -> fixture.writeEffect(handle.getConnection(), effect("a")));
      jdbi.useTransaction(handle -> fixture.writeEffect(handle.getConnection(), effect("b")));
    });

    assertThat(List.of("a", "b")).allSatisfy(id -> {
      assertThat(state(id)).as(id).isEqualTo(MarkState.DONE);
      assertThat(fixture.effects(effect(id))).as(id).isEqualTo(1);
    });
  }

  @Test
  void commit_rollback_close_and_the_like_are_refused() {
    List<Work> forbidden = List.of(
        Connection::commit,
        Connection::rollback,
        Connection::close,
        connection -> connection.setAutoCommit(true),
        connection -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE),
        connection -> connection.abort(Runnable::run),
        connection -> connection.unwrap(Connection.class),
        connection -> connection.createStatement().getConnection().commit(),
        connection -> connection.getMetaData().getConnection().commit(),
        connection -> connection
            .createStatement()
            .executeQuery("SELECT 1")
            .getStatement()
            .getConnection()
            .commit());

    for (Work attempted : forbidden) {
      assertThatThrownBy(() -> run(store(), "a", connection -> {
            fixture.writeEffect(connection, effect("a"));
            attempted.in(connection);
          }))
          .isInstanceOf(BrokenTransactionException.class);
    }
    assertNothingRemains();
  }

  @Test
  void a_kept_connection_is_dead_when_the_handler_has_returned() throws SQLException {
    List<Connection> kept = new ArrayList<>();
    store().runOnce(List.of(request("a")), (connection, it) -> kept.add(connection));

    assertThat(kept.get(0).isClosed()).isTrue();
    assertThatThrownBy(() -> kept.get(0).createStatement())
        .isInstanceOf(BrokenTransactionException.class);
  }

  @Test
  void a_savepoint_of_the_handlers_own_may_be_rolled_back() throws SQLException {
    store().runOnce(List.of(request("a")), (connection, answers) -> {
      fixture.writeEffect(connection, effect("a"));
      var savepoint = connection.setSavepoint();
      fixture.writeEffect(connection, effect("a"));
      connection.rollback(savepoint);
    });

    assertThat(fixture.effects(effect("a"))).isEqualTo(1);
  }

  @Test
  void a_mark_held_by_another_transaction_is_busy_after_the_lock_wait() throws Exception {
    Holder<List<ClaimAnswer>> holder = holder(hold -> run(fixture.other(), "b", hold));

    List<ClaimAnswer> answers = runOnce("a", "b");
    List<ClaimAnswer> claims = store().claim(List.of(request("b")), LEASE);

    ClaimAnswer busy = new ClaimAnswer.Busy(JdbcFixture.LOCK_WAIT);
    assertThat(answers).containsExactly(busy, busy);
    assertThat(claims).containsExactly(busy);
    assertThat(holder.end()).allMatch(Acquired.class::isInstance);
    assertThat(fixture.effects(effect("a"))).isZero();
    assertThat(state("a")).isEqualTo(MarkState.ABSENT);
  }

  private SettleAnswer complete(Claim claim) throws SQLException {
    return store()
        .completeWith(
            claim,
            connection ->
                fixture.writeEffect(connection, effect(claim.key().id().toString())));
  }

  @Test
  void a_long_completion_blocks_no_other_renewal_and_its_own_not_for_ever() throws Exception {
    Claim slow = claimed("slow");
    Claim quick = claimed("quick");
    Holder<SettleAnswer> completion = holder(hold -> fixture.other().completeWith(slow, hold::in));

    List<RenewAnswer> renewed = store().renew(List.of(slow, quick), LEASE);
    assertThatThrownBy(() -> complete(slow)).isInstanceOf(StoreContentionException.class);

    assertThat(renewed.get(0)).isInstanceOf(RenewAnswer.Unavailable.class);
    assertThat(renewed.get(1)).isInstanceOf(RenewAnswer.Renewed.class);
    assertThat(completion.end()).isEqualTo(new SettleAnswer.Settled(false));
  }

  @Test
  void autocommit_and_isolation_come_back_as_they_were() throws SQLException {
    fixture.pool().getHikariPoolMXBean().softEvictConnections();
    for (boolean autocommit : List.of(true, false)) {
      try (Connection real = fixture.pool().getConnection()) {
        real.setAutoCommit(autocommit);
        real.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        JdbcDedupStore store = fixture.storeOn(new SingleConnection(real));
        store.runOnce(List.of(request("one" + autocommit)), (connection, answers) -> {});
        store.claim(List.of(request("two" + autocommit)), LEASE);

        assertThat(real.getAutoCommit()).isEqualTo(autocommit);
        assertThat(real.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        if (!autocommit) {
          real.rollback();
        }
      }
    }
    assertThat(state("onefalse")).isEqualTo(MarkState.DONE);
    assertThat(state("twofalse")).isEqualTo(MarkState.PROCESSING);
  }

  @Test
  void an_origin_that_no_database_keeps_does_not_hold_its_batch_up() {
    ClaimRequest plain = request("a");
    ClaimRequest odd = new ClaimRequest(
        key("b"),
        request("b").nonce(),
        plain.fingerprint(),
        new Origin("host\0", "\ud800"),
        plain.terms());

    assertThat(store().claim(List.of(plain, odd), LEASE)).hasOnlyElementsOfType(Acquired.class);
  }

  @Test
  void a_filter_that_refuses_the_statements_of_a_transaction_is_refused_at_build() {
    DataSource filtered = InterceptedDriver.with(fixture.pool(), (on, deed, call) -> {
      if (deed.contains("SAVEPOINT hapax_marks") || deed.contains("TRANSACTION_ID()")) {
        throw new SQLException("sql injection violation: not allow");
      }
      return call.call();
    });
    JdbcDedupStoreBuilder builder = builder(filtered);

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("sql injection violation")
        .hasMessageContaining("noneBaseStatementAllow");
    try (JdbcDedupStore store = builder.leasedOnly().build()) {
      assertThat(store.leasedOnly()).isTrue();
    }
  }
}
