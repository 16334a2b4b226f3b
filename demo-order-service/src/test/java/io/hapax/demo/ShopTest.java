package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.errors.NotAppliedException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShopTest {

  private static final Order ORDER = new Order(
      "a", "customer", List.of(new Order.Item("sku-01", 2), new Order.Item("sku-02", 3)), 100);

  private static final LedgerRow ROW = new LedgerRow("a", 7, 2, true, 42);

  @Test
  void each_effect_takes_stock_and_leaves_a_row_so_that_nothing_hides_a_double_one()
      throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:")) {
      Shop.open(connection);
      Shop.apply(connection, List.of(new Effect(ORDER, ROW)));
      assertThat(Shop.ledger(connection)).containsExactly(ROW);
      assertThat(Shop.piecesTaken(connection)).isEqualTo(5);

      Shop.apply(connection, List.of(new Effect(ORDER, ROW)));
      assertThat(Shop.ledger(connection)).containsExactly(ROW, ROW);
      assertThat(Shop.piecesTaken(connection)).isEqualTo(10);
    }
  }

  @Test
  void an_order_for_an_article_that_the_shop_does_not_have_takes_no_effect() throws SQLException {
    Order poison = new Order("a", "customer", List.of(new Order.Item("sku-none", 1)), 100);
    try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:")) {
      Shop.open(connection);
      connection.setAutoCommit(false);

      assertThatThrownBy(() -> Shop.apply(connection, List.of(new Effect(poison, ROW))))
          .isInstanceOf(NotAppliedException.class)
          .hasMessage("a orders sku-none, which the shop does not have");
      connection.rollback();

      assertThat(Shop.ledger(connection)).isEmpty();
      assertThat(Shop.piecesTaken(connection)).isZero();
    }
  }

  @Test
  void an_h2_file_has_one_writer_so_that_a_kill_tears_no_transaction(@TempDir Path folder) {
    String url = "jdbc:h2:file:" + folder.resolve("shop");
    ServiceSettings.Database service = new ServiceSettings.Database(url, "", "");

    try (HikariDataSource pool = service.open()) {
      assertThat(pool.getMaximumPoolSize()).isOne();
    }
    assertThat(ShopPool.of(url).getMaximumPoolSize()).isOne();
  }

  @Test
  void a_server_has_a_connection_for_each_worker_and_some_more() {
    assertThat(ShopPool.of("jdbc:postgresql://db/shop").getMaximumPoolSize())
        .isGreaterThan(OrderChannel.PARTITIONS + 1);
  }
}
