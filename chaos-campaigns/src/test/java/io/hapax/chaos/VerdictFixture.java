package io.hapax.chaos;

import io.hapax.chaos.CampaignVerdict.Evidence;
import io.hapax.chaos.Reports.Recovery;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Mode;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Verdicts on the orders a and b. */
abstract class VerdictFixture {

  static final LedgerRow FIRST = new LedgerRow("a", 10, 1, false, 100);
  static final LedgerRow AGAIN = new LedgerRow("a", 20, 2, true, 200);
  static final LedgerRow OTHER = new LedgerRow("b", 11, 1, false, 100);
  static final Recovery RECOVERY = new Recovery("a", 20);
  static final Disruption KILL = Disruption.kill(100, Set.of("a"), Set.of("a"), false);

  /** One effect of each order. */
  static final CampaignVerdict HOLDS =
      judge(Mode.TRANSACTIONAL, List.of(FIRST, OTHER), List.of(), List.of());

  static CampaignVerdict leased(
      List<LedgerRow> ledger, List<Recovery> recoveries, List<Disruption> disruptions) {
    return judge(Mode.LEASED, ledger, recoveries, disruptions);
  }

  static CampaignVerdict judge(
      Mode mode, List<LedgerRow> ledger, List<Recovery> recoveries, List<Disruption> disruptions) {
    return judge(mode, ledger, recoveries, Map.of(), disruptions);
  }

  static CampaignVerdict judge(
      Mode mode,
      List<LedgerRow> ledger,
      List<Recovery> recoveries,
      Map<Long, Set<String>> completions,
      List<Disruption> disruptions) {
    return CampaignVerdict.of(
        mode,
        Set.of("a", "b"),
        new Evidence(
            ledger,
            recoveries,
            completions,
            disruptions,
            List.of(LedgerSnapshot.of("the only pass", ledger))));
  }
}
