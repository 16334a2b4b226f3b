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

/**
 * Counts the effects of orders in the ledger. A row without a fencing token is an effect of the
 * naive consumer.
 */
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

  private static final TrialOrder NO_EFFECT = new TrialOrder("", 0, 0, true);

  private Ledger() {}

  /**
   * Counts the effects.
   *
   * @param placed the ids of all orders, oldest first
   * @param leased whether a recovery may repeat an effect; in transactional mode nothing may
   */
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
    Sum hapax = new Sum();
    Sum naive = new Sum();
    List<TrialOrder> newest = new ArrayList<>();
    for (int i = placed.size() - 1; i >= 0; i--) {
      TrialOrder count = counted.getOrDefault(placed.get(i), NO_EFFECT);
      TrialOrder order =
          new TrialOrder(placed.get(i), count.hapax(), count.naive(), count.explained());
      hapax.add(order.hapax(), order.explained());
      naive.add(order.naive(), false);
      if (newest.size() < TrialState.LISTED) {
        newest.add(order);
      }
    }
    return new TrialState.Effects(hapax.totals(), naive.totals(), newest);
  }

  /** The effects of one kind of consumer. */
  private static final class Sum {
    private long orders;
    private long effects;
    private long waiting;
    private long twice;
    private long explained;

    private void add(long count, boolean isExplained) {
      orders++;
      effects += count;
      waiting += count == 0 ? 1 : 0;
      twice += count > 1 ? 1 : 0;
      explained += count > 1 && isExplained ? 1 : 0;
    }

    private TrialTotals totals() {
      return new TrialTotals(orders, effects, waiting, twice, explained);
    }
  }
}
