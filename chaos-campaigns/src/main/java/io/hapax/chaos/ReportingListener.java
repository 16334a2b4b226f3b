package io.hapax.chaos;

import io.hapax.ReceiverListener;
import io.hapax.adapter.Outcome;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MessageKey;

/** Forwards the events of the receiver to the parent. */
final class ReportingListener implements ReceiverListener {

  private final Reports reports;
  private final MarkIds ids;

  ReportingListener(Reports reports, MarkIds ids) {
    this.reports = reports;
    this.ids = ids;
  }

  @Override
  public void onOutcome(MessageKey key, String coordinates, Outcome outcome) {
    reports.ended(new Reports.InFlight(coordinates, order(key)), ending(outcome));
  }

  /** Reports the outcome of a message without an id. */
  @Override
  public void onOutcome(String coordinates, Outcome outcome) {
    reports.ended(new Reports.InFlight(coordinates, "-"), ending(outcome));
  }

  @Override
  public void onRecovery(MessageKey key, ClaimAnswer.Acquired acquired) {
    reports.recovery(new Recovery(order(key), acquired.claim().token()));
  }

  @Override
  public void onStoreError(String verb, Throwable error) {
    reports.storeError();
  }

  private String order(MessageKey key) {
    return ids.order(key.id().toString());
  }

  private static Reports.Ending ending(Outcome outcome) {
    if (outcome instanceof Outcome.Executed) {
      return Reports.Ending.EXECUTED;
    } else if (outcome instanceof Outcome.Duplicate) {
      return Reports.Ending.DUPLICATE;
    } else if (outcome instanceof Outcome.DeadLettered) {
      return Reports.Ending.DEAD;
    }
    return Reports.Ending.DEFERRED;
  }
}
