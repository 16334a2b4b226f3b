package io.hapax.chaos;

import io.hapax.console.trial.TrialOrder;
import io.hapax.console.trial.TrialState;
import io.hapax.console.trial.TrialTotals;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** Counts the effects in the ledger. A row without a token is an effect of the naive consumer. */
final class Ledger {

  private static final String COUNT = """
      SELECT effects.order_id,
        SUM(CASE WHEN token > 0 THEN 1 ELSE 0 END),
        SUM(CASE WHEN token = 0 THEN 1 ELSE 0 END),
        SUM(CASE WHEN token > lowest AND recovery THEN 1 ELSE 0 END)
      FROM ledger effects
        LEFT JOIN (
          SELECT order_id, MIN(token) AS lowest FROM ledger WHERE token > 0 GROUP BY order_id
        ) firsts ON firsts.order_id = effects.order_id
      GROUP BY effects.order_id""";

  private Ledger() {}

  /** Counts the effects of orders, oldest first. In leased mode a recovery may repeat an effect. */
  static TrialState.Effects read(Connection connection, List<String> placed, boolean leased)
      throws SQLException {
    Map<String, TrialOrder> counted = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(COUNT)) {
      while (rows.next()) {
        long hapax = rows.getLong(2);
        // Each effect but the one with the lowest token must be that of a recovery.
        boolean explained = hapax <= 1 || (leased && hapax - rows.getLong(4) <= 1);
        String id = rows.getString(1);
        counted.put(id, new TrialOrder(id, hapax, rows.getLong(3), explained));
      }
    }
    return effects(placed, counted);
  }

  private static TrialState.Effects effects(List<String> placed, Map<String, TrialOrder> counted) {
    List<TrialOrder> newestFirst = new ArrayList<>();
    for (int i = placed.size() - 1; i >= 0; i--) {
      String id = placed.get(i);
      newestFirst.add(counted.getOrDefault(id, new TrialOrder(id, 0, 0, true)));
    }
    return new TrialState.Effects(
        totals(newestFirst, TrialOrder::hapax, TrialOrder::explained),
        totals(newestFirst, TrialOrder::naive, order -> false),
        newestFirst);
  }

  private static TrialTotals totals(
      List<TrialOrder> orders,
      ToLongFunction<TrialOrder> effects,
      Predicate<TrialOrder> explained) {
    List<TrialOrder> twice =
        orders.stream().filter(order -> effects.applyAsLong(order) > 1).toList();
    return new TrialTotals(
        orders.size(),
        orders.stream().mapToLong(effects).sum(),
        orders.stream().filter(order -> effects.applyAsLong(order) == 0).count(),
        twice.size(),
        twice.stream().filter(explained).count());
  }
}
