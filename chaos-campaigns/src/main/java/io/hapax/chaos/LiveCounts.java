package io.hapax.chaos;

/**
 * What consumers have reported.
 *
 * @param executed the number of messages whose handler ran
 * @param duplicates the number of messages that were acknowledged without running
 * @param busy the number of deferrals: another consumer held the message, or it waited for a retry
 * @param takeovers the number of messages that were taken over from another consumer
 */
record LiveCounts(long executed, long duplicates, long busy, long takeovers) {

  static final LiveCounts NONE = new LiveCounts(0, 0, 0, 0);

  LiveCounts plus(LiveCounts more) {
    return new LiveCounts(
        executed + more.executed,
        duplicates + more.duplicates,
        busy + more.busy,
        takeovers + more.takeovers);
  }
}
