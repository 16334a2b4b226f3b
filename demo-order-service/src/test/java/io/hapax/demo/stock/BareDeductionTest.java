package io.hapax.demo.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.demo.scene.OnStage;
import io.hapax.demo.scene.Servers;
import io.hapax.demo.scene.Sql;
import io.hapax.demo.scene.Stage;
import java.sql.Connection;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Deducts an order of two pieces twice, as a redelivered message does. */
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
}
