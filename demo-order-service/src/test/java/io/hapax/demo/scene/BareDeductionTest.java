package io.hapax.demo.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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

  private static final String SKU = "sku-01";

  private final Stage stage;

  BareDeductionTest(Servers servers) {
    this.stage = servers.stage();
  }

  @BeforeEach
  void create() throws Exception {
    try (Connection connection = stage.database().getConnection()) {
      Stock.create(connection, 10);
    }
  }

  @Test
  void a_condition_also_holds_for_the_duplicate() throws Exception {
    twice(transaction -> Deduction.CONDITION.take(transaction, SKU, 2));

    assertThat(available()).isEqualTo(6);
  }

  @Test
  void a_version_is_read_anew_by_the_duplicate() throws Exception {
    twice(transaction -> Deduction.VERSION.take(transaction, SKU, 2));

    assertThat(available()).isEqualTo(6);
  }

  @Test
  void a_pessimistic_lock_is_free_when_the_duplicate_comes() throws Exception {
    twice(transaction -> {
      long available =
          Sql.number(transaction, "SELECT available FROM stock WHERE sku = ? FOR UPDATE", SKU);
      return Sql.update(
          transaction, "UPDATE stock SET available = ? WHERE sku = ?", available - 2, SKU);
    });

    assertThat(available()).isEqualTo(6);
  }

  private void twice(Stage.Transaction<Object, RuntimeException> deduction) throws Exception {
    stage.transact(deduction);
    stage.transact(deduction);
  }

  private long available() throws Exception {
    return stage.transact(Stock::available);
  }

  @Test
  void a_condition_lets_concurrent_orders_wait_for_each_other() throws Exception {
    assertThat(secondOfTwo(Deduction.CONDITION, 5)).isCompletedWithValue(true);
    assertThat(secondOfTwo(Deduction.CONDITION, 3)).isCompletedWithValue(false);
  }

  @Test
  void a_version_makes_the_second_of_two_concurrent_orders_fail() throws Exception {
    CompletableFuture<Boolean> second = secondOfTwo(Deduction.VERSION, 5);

    assertThatThrownBy(second::join).hasCauseInstanceOf(StaleVersionException.class);
  }

  /** Takes two pieces twice; the second transaction asks before the first one commits. */
  private CompletableFuture<Boolean> secondOfTwo(Deduction deduction, int available)
      throws Exception {
    try (Connection first = stage.database().getConnection();
        Connection observer = stage.database().getConnection()) {
      Stock.create(observer, available);
      first.setAutoCommit(false);
      assertThat(deduction.take(first, SKU, 2)).isTrue();
      CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> take(deduction));
      await().atMost(Duration.ofSeconds(30)).until(() -> waiting(observer) == 1);
      first.commit();
      await().atMost(Duration.ofSeconds(30)).until(second::isDone);
      return second;
    }
  }

  private boolean take(Deduction deduction) {
    try {
      return stage.transact(transaction -> deduction.take(transaction, SKU, 2));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long waiting(Connection observer) throws Exception {
    return Sql.number(
        observer, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
  }
}
