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

  /** Starts the server and opens the store. */
  BenchmarkTarget open() throws Exception {
    return switch (this) {
      case REDIS -> RedisTarget.strings();
      case COMPACT -> RedisTarget.compact();
      case POSTGRES -> SqlTarget.on(new PostgresDatabase());
      case MARIADB -> SqlTarget.on(new MariaDbDatabase());
      case H2 -> SqlTarget.on(new H2Database());
      case MEMORY -> new MemoryTarget();
    };
  }

  /** Returns the target as a part of the limit; 0 without a target. */
  double ofLimit(Operation operation) {
    return switch (this) {
      case REDIS -> 0.55;
      case COMPACT -> 0.4;
      case POSTGRES -> operation == Operation.RUN_ONCE ? 0.6 : 0;
      default -> 0;
    };
  }

  /** Returns the target as a multiple of the floor; 0 without a target. */
  double timesFloor(Operation operation, int threads) {
    return switch (this) {
      case REDIS, COMPACT -> threads == 1 ? 8 : 2;
      case POSTGRES -> operation == Operation.RUN_ONCE ? 15 : 0;
      default -> 0;
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
