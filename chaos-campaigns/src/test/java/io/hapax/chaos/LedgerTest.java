package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.trial.TrialLane;
import io.hapax.console.trial.TrialOrder;
import io.hapax.console.trial.TrialTotals;
import io.hapax.demo.Effect;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Order;
import io.hapax.demo.Shop;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LedgerTest {

  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:h2:mem:");
    Shop.open(connection);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private void effect(String order, long token, boolean recovery) throws SQLException {
    Order single = new Order(order, "customer", List.of(), 100);
    Shop.apply(
        connection, List.of(new Effect(single, new LedgerRow(order, token, 1, recovery, 1))));
  }

  @Test
  void rows_without_a_token_are_effects_of_the_plain_loop() throws SQLException {
    effect("a", 1, false);
    effect("a", 0, false);
    effect("a", 0, false);
    effect("b", 0, false);

    assertThat(Ledger.read(connection, List.of("a", "b", "c"), false))
        .containsExactly(
            new TrialOrder("a", 1, 2, true),
            new TrialOrder("b", 0, 1, true),
            new TrialOrder("c", 0, 0, true));
  }

  @Test
  void a_repeat_is_explained_by_a_counted_recovery_only() throws SQLException {
    effect("explained", 1, false);
    effect("explained", 2, true);
    effect("unexplained", 1, false);
    effect("unexplained", 2, false);

    List<TrialOrder> orders = Ledger.read(connection, List.of("explained", "unexplained"), true);

    assertThat(orders)
        .containsExactly(
            new TrialOrder("explained", 2, 0, true), new TrialOrder("unexplained", 2, 0, false));
    assertThat(TrialTotals.of(TrialLane.HAPAX, orders)).isEqualTo(new TrialTotals(2, 0, 2, 1));
  }

  @Test
  void in_transactional_mode_nothing_explains_a_repeat() throws SQLException {
    effect("twice", 1, false);
    effect("twice", 2, true);

    assertThat(Ledger.read(connection, List.of("twice"), false))
        .containsExactly(new TrialOrder("twice", 2, 0, false));
  }

  @Test
  void the_recovery_of_an_earlier_effect_does_not_explain_a_later_one() throws SQLException {
    effect("taken over, then repeated", 1, true);
    effect("taken over, then repeated", 2, false);

    assertThat(Ledger.read(connection, List.of("taken over, then repeated"), true))
        .containsExactly(new TrialOrder("taken over, then repeated", 2, 0, false));
  }
}
