package io.hapax.demo;

import java.util.Locale;

/** The database that holds the shop and the marks. */
enum StoreKind {
  /** A file, opened inside the consumer's process: it dies together with its consumer. */
  H2,
  /** A server of its own. */
  POSTGRES;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
