package io.hapax.demo;

import java.util.Locale;

/** How the order service keeps an order from taking effect twice. */
enum Mode {
  /** Mark and effects in one transaction. */
  TRANSACTIONAL,
  /** Marks with leases, effects in transactions of their own. */
  LEASED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
