package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A real deadlock, with a transaction that takes marks in the wrong order. */
abstract class DeadlockTests extends StoreTests {

  private JdbcDedupStore patient(AtomicInteger deadlocks) {
    return JdbcDedupStore.builder(InterceptedDriver.with(fixture.pool(), (on, deed, call) -> {
          try {
            return call.call();
          } catch (SQLException e) {
            deadlocks.addAndGet(SqlErrors.isContention(e) ? 1 : 0);
            throw e;
          }
        }))
        .table(fixture.table())
        .lockWait(Duration.ofSeconds(60))
        .noBackgroundPurge()
        .build();
  }

  /** By the primary key: a scan would lock what it passes. */
  private void lock(Connection connection, Claim claim) throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement(
        "SELECT k FROM " + fixture.table() + " WHERE k = ? FOR UPDATE")) {
      lock.setObject(1, bound(Column.key(claim.key())));
      lock.executeQuery().close();
    }
  }

  /** A key as this database takes it. */
  private Object bound(UUID key) {
    return database == TestDatabase.POSTGRES ? key : new JsonRows(1 << 24).bound(key);
  }

  @Test
  void a_takeover_that_lost_a_deadlock_is_tried_again_and_acquires() throws Exception {
    AtomicInteger deadlocks = new AtomicInteger();
    JdbcDedupStore store = patient(deadlocks);
    List<Claim> claims = Stream.of("a", "b")
        .map(this::key)
        .sorted(Comparator.naturalOrder())
        .map(key -> claimed(key.id().toString()))
        .toList();
    fixture.advance(LEASE.plusSeconds(1));
    store.setClockOffset(LEASE.plusSeconds(1));
    List<ClaimRequest> takeovers =
        claims.stream().map(claim -> solo(request(claim.key().id().toString()))).toList();
    try (Connection other = fixture.pool().getConnection()) {
      other.setAutoCommit(false);
      other.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      for (int i = 0; i < 50; i++) {
        fixture.writeEffect(other, effect("so that the other one is the victim " + i));
      }
      lock(other, claims.get(1));
      Future<List<ClaimAnswer>> claiming = threads.submit(() -> store.claim(takeovers, LEASE));
      await().atMost(Duration.ofMinutes(1)).until(() -> number(database.product.countBlocked) > 0);

      lock(other, claims.get(0));
      other.rollback();

      assertThat(claiming.get(60, TimeUnit.SECONDS)).hasOnlyElementsOfType(Acquired.class);
    }
    assertThat(deadlocks).hasPositiveValue();
  }
}
