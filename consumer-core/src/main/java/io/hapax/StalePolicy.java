package io.hapax;

/**
 * What to do with a message whose earlier attempt may have taken effect: its owner vanished, or its
 * handler failed without saying that nothing had happened.
 *
 * <p>Two further policies, asking the downstream and never running again, are planned and not there
 * yet.
 */
public enum StalePolicy {
  /**
   * Run it again. The handler is idempotent, or the effect may repeat; each such run is counted.
   */
  RERUN
}
