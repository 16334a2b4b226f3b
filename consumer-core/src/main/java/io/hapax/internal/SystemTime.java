package io.hapax.internal;

/** The one place that reads the machine's clock; everything else is handed a {@link Ticker}. */
public enum SystemTime implements Ticker {
  /** The monotonic clock of this process. */
  INSTANCE;

  @Override
  public long nanos() {
    return System.nanoTime();
  }
}
