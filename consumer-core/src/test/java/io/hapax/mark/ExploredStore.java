package io.hapax.mark;

import java.time.Duration;
import java.time.Instant;

/** The verbs that the explorer explores: the machine itself. Mutants override what they break. */
class ExploredStore {

  /**
   * Claims.
   *
   * @param callersTime what the caller's clock says, which no store may listen to
   */
  Transition<ClaimAnswer> claim(
      Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
    return MarkMachine.claim(mark, request, lease, now);
  }

  Transition<RenewAnswer> renew(Mark mark, Claim claim, Duration lease, Instant now) {
    return MarkMachine.renew(mark, claim, lease, now);
  }

  Transition<SettleAnswer> settle(Mark mark, Settlement settlement, Instant now) {
    return MarkMachine.settle(mark, settlement, now);
  }
}
