package io.hapax.chaos;

import io.hapax.console.trial.TrialOrder;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Shop;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Counts the effects in the ledger. A row without a token is an effect of the plain loop. */
final class Ledger {

  private Ledger() {}

  /** Counts the effects of orders. In leased mode a recovery may repeat an effect. */
  static List<TrialOrder> read(Connection connection, List<String> placed, boolean leased)
      throws SQLException {
    Map<String, List<LedgerRow>> effects =
        Shop.ledger(connection).stream().collect(Collectors.groupingBy(LedgerRow::orderId));
    return placed.stream()
        .map(id -> order(id, effects.getOrDefault(id, List.of()), leased))
        .toList();
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
}
