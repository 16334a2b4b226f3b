package io.hapax.demo.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.demo.scene.OnStage;
import io.hapax.demo.scene.SceneResult;
import io.hapax.demo.scene.Servers;
import io.hapax.demo.scene.Sql;
import io.hapax.demo.scene.Stage;
import io.hapax.demo.scene.Variant;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(180)
@ExtendWith(OnStage.class)
class StockSceneTest {

  @ParameterizedTest
  @EnumSource(Deduction.class)
  void an_order_that_is_sent_twice_is_deducted_once(Deduction deduction, Servers servers)
      throws Exception {
    StockScene scene = new StockScene(deduction);
    Stage stage = servers.stage();

    SceneResult naive = scene.play(stage, Variant.NAIVE);
    assertThat(naive.effects()).isEqualTo(2 * naive.asked());
    assertThat(naive.violations()).contains("order-00 took effect 2 times");

    SceneResult hapax = scene.play(stage, Variant.HAPAX);
    assertThat(hapax.violations()).isEmpty();
    assertThat(hapax.effects()).isEqualTo(hapax.asked());
  }

  @Test
  void a_condition_lets_concurrent_orders_wait_for_each_other(Servers servers) throws Exception {
    assertThat(secondOfTwo(servers, Deduction.CONDITION, 5)).isCompletedWithValue(true);
    assertThat(secondOfTwo(servers, Deduction.CONDITION, 3)).isCompletedWithValue(false);
  }

  @Test
  void a_version_makes_the_second_of_two_concurrent_orders_fail(Servers servers) throws Exception {
    CompletableFuture<Boolean> second = secondOfTwo(servers, Deduction.VERSION, 5);

    assertThatThrownBy(second::join).hasCauseInstanceOf(StaleVersionException.class);
  }

  /** Takes two pieces twice; the second transaction asks before the first one commits. */
  private static CompletableFuture<Boolean> secondOfTwo(
      Servers servers, Deduction deduction, int available) throws Exception {
    Stage stage = servers.stage();
    try (Connection first = stage.database().getConnection();
        Connection observer = stage.database().getConnection()) {
      Stock.create(observer, available);
      first.setAutoCommit(false);
      assertThat(deduction.take(first, "sku-01", 2)).isTrue();
      CompletableFuture<Boolean> second =
          CompletableFuture.supplyAsync(() -> take(stage, deduction));
      await().atMost(Duration.ofSeconds(30)).until(() -> waiting(observer) == 1);
      first.commit();
      await().atMost(Duration.ofSeconds(30)).until(second::isDone);
      return second;
    }
  }

  private static boolean take(Stage stage, Deduction deduction) {
    try {
      return stage.transact(transaction -> deduction.take(transaction, "sku-01", 2));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long waiting(Connection observer) throws Exception {
    return Sql.number(
        observer, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
  }
}
