package io.hapax.mark;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The verbs that the explorer explores: the machine itself. Mutants override what they break. */
class ExploredStore {

  /** Longer than any history. */
  static final Duration RETENTION = Duration.ofDays(8);

  /**
   * Claims.
   *
   * @param callersTime what the caller's clock says, which no store may listen to
   */
  Transition<ClaimAnswer> claim(
      Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
    return MarkMachine.claim(mark, request, lease, now);
  }

  /** Looks up whether a message is done. The mark is what is committed. */
  Optional<ClaimAnswer.Done> findDone(Mark mark, ClaimRequest request, Instant now) {
    return MarkMachine.findDone(mark, request, RETENTION, now);
  }

  Transition<RenewAnswer> renew(Mark mark, Claim claim, Duration lease, Instant now) {
    return MarkMachine.renew(mark, claim, lease, now);
  }

  Transition<SettleAnswer> settle(Mark mark, Settlement settlement, Instant now) {
    return MarkMachine.settle(mark, settlement, now);
  }
}
