package io.hapax.bench;

import java.util.Locale;

/** The measured stores. */
enum StoreKind {
  /** Redis, marks as strings. */
  REDIS,
  /** Redis, marks in buckets. */
  COMPACT,
  /** PostgreSQL. */
  POSTGRES,
  /** MariaDB through its own driver. */
  MARIADB,
  /** H2 in a file, inside this process. */
  H2,
  /** A map inside this process, for comparison. */
  MEMORY;

  BenchmarkTarget open() throws Exception {
    return switch (this) {
      case REDIS -> RedisTarget.start(false);
      case COMPACT -> RedisTarget.start(true);
      case POSTGRES -> SqlTarget.on(PostgresDatabase.start());
      case MARIADB -> SqlTarget.on(MariaDbDatabase.start());
      case H2 -> SqlTarget.on(H2Database.start());
      case MEMORY -> new MemoryTarget();
    };
  }

  /**
   * Returns whether the store is inside this process, and is measured with a million marks at most.
   */
  boolean small() {
    return this == H2 || this == MEMORY;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
