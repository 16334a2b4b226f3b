package io.hapax.demo.live;

import io.hapax.console.trial.TrialOrder;
import io.hapax.console.trial.TrialState;
import io.hapax.console.trial.TrialTotals;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Shop;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Counts the effects in the ledger. A row without a token is an effect of the naive consumer. */
final class Ledger {

  private Ledger() {}

  /** Counts the effects of orders, oldest first. In leased mode a recovery may repeat an effect. */
  static TrialState.Effects read(Connection connection, List<String> placed, boolean leased)
      throws SQLException {
    Map<String, List<LedgerRow>> effects =
        Shop.ledger(connection).stream().collect(Collectors.groupingBy(LedgerRow::orderId));
    List<TrialOrder> orders = new ArrayList<>();
    placed.forEach(id -> orders.add(order(id, effects.getOrDefault(id, List.of()), leased)));
    Collections.reverse(orders);
    long explained =
        orders.stream().filter(it -> it.hapax() > 1 && it.explained()).count();
    return new TrialState.Effects(
        totals(orders.stream().map(TrialOrder::hapax).toList(), explained),
        totals(orders.stream().map(TrialOrder::naive).toList(), 0),
        orders);
  }

  private static TrialOrder order(String id, List<LedgerRow> effects, boolean leased) {
    List<Long> tokens =
        effects.stream().map(LedgerRow::token).filter(it -> it > 0).sorted().toList();
    // Each effect but the one with the lowest token must be that of a recovery.
    long recoveries = effects.stream()
        .filter(row -> row.recovery() && row.token() > tokens.get(0))
        .count();
    boolean explained = tokens.size() <= 1 || (leased && tokens.size() - recoveries <= 1);
    return new TrialOrder(id, tokens.size(), effects.size() - tokens.size(), explained);
  }

  /** Adds up the numbers of effects of all orders. */
  static TrialTotals totals(List<Long> effects, long explained) {
    return new TrialTotals(
        effects.size(),
        effects.stream().mapToLong(it -> it).sum(),
        effects.stream().filter(it -> it == 0).count(),
        effects.stream().filter(it -> it > 1).count(),
        explained);
  }
}
