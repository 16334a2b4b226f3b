package io.hapax.demo.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.demo.scene.Stage.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Deducts an order of two pieces twice: redelivered, or beside another transaction. */
@Timeout(180)
@ExtendWith(OnStage.class)
class BareDeductionTest {

  private static final Transaction<Boolean, RuntimeException> BY_CONDITION =
      transaction -> Stock.take(transaction, 2);

  private static final Transaction<Boolean, RuntimeException> BY_VERSION =
      BareDeductionTest::takeByVersion;

  private final Stage stage;

  BareDeductionTest(Servers servers) {
    this.stage = servers.stage();
  }

  @BeforeEach
  void create() throws Exception {
    try (Connection connection = stage.database().getConnection()) {
      create(connection, 10);
    }
  }

  private static void create(Connection connection, int available) throws SQLException {
    Stock.create(connection, available);
    Sql.update(connection, "ALTER TABLE stock ADD version BIGINT DEFAULT 0 NOT NULL");
  }

  @Test
  void a_condition_also_holds_for_the_duplicate() throws Exception {
    twice(BY_CONDITION);

    assertThat(available()).isEqualTo(6);
  }

  @Test
  void a_version_is_read_anew_by_the_duplicate() throws Exception {
    twice(BY_VERSION);

    assertThat(available()).isEqualTo(6);
  }

  @Test
  void a_pessimistic_lock_is_free_when_the_duplicate_comes() throws Exception {
    twice(transaction -> {
      long available = Sql.number(
          transaction, "SELECT available FROM stock WHERE sku = ? FOR UPDATE", Stock.SKU);
      return Sql.update(
          transaction, "UPDATE stock SET available = ? WHERE sku = ?", available - 2, Stock.SKU);
    });

    assertThat(available()).isEqualTo(6);
  }

  /** Reads, and updates under the condition that the version is still the same. */
  private static boolean takeByVersion(Connection transaction) throws SQLException {
    long available = Stock.available(transaction);
    long version = Sql.number(transaction, "SELECT version FROM stock WHERE sku = ?", Stock.SKU);
    int changed = Sql.update(
        transaction,
        "UPDATE stock SET available = ?, version = version + 1 WHERE sku = ? AND version = ?",
        available - 2,
        Stock.SKU,
        version);
    if (changed == 0) {
      throw new StaleVersionException();
    }
    return true;
  }

  private static final class StaleVersionException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private void twice(Transaction<?, RuntimeException> deduction) throws Exception {
    stage.transact(deduction);
    stage.transact(deduction);
  }

  private long available() throws Exception {
    return stage.transact(Stock::available);
  }

  @Test
  void a_condition_lets_concurrent_orders_wait_for_each_other() throws Exception {
    assertThat(secondOfTwo(BY_CONDITION, 5)).isCompletedWithValue(true);
    assertThat(secondOfTwo(BY_CONDITION, 3)).isCompletedWithValue(false);
  }

  @Test
  void a_version_makes_the_second_of_two_concurrent_orders_fail() throws Exception {
    CompletableFuture<Boolean> second = secondOfTwo(BY_VERSION, 5);

    assertThatThrownBy(second::join).hasCauseInstanceOf(StaleVersionException.class);
  }

  /** Takes two pieces twice; the second transaction asks before the first one commits. */
  private CompletableFuture<Boolean> secondOfTwo(
      Transaction<Boolean, RuntimeException> deduction, int available) throws Exception {
    try (Connection first = stage.database().getConnection();
        Connection observer = stage.database().getConnection()) {
      create(observer, available);
      first.setAutoCommit(false);
      assertThat(deduction.run(first)).isTrue();
      CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> take(deduction));
      await().atMost(Duration.ofSeconds(30)).until(() -> waiting(observer) == 1);
      first.commit();
      await().atMost(Duration.ofSeconds(30)).until(second::isDone);
      return second;
    }
  }

  private boolean take(Transaction<Boolean, RuntimeException> deduction) {
    try {
      return stage.transact(deduction);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long waiting(Connection observer) throws Exception {
    return Sql.number(
        observer, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
  }
}
