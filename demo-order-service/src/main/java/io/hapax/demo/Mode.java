package io.hapax.demo;

import java.util.Locale;

public enum Mode {
  /** Mark and effects are in one transaction. */
  TRANSACTIONAL,
  /** Marks have leases, and effects are in transactions of their own. */
  LEASED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
