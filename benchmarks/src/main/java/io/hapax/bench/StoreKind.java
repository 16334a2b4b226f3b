package io.hapax.bench;

import java.util.Locale;

/** The stores that are measured. */
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

  /** Starts its server and opens the store. */
  Place open() throws Exception {
    return switch (this) {
      case REDIS -> RedisPlace.strings();
      case COMPACT -> RedisPlace.compact();
      case POSTGRES -> SqlPlace.on(new PostgresDatabase());
      case MARIADB -> SqlPlace.on(new MariaDbDatabase());
      case H2 -> SqlPlace.on(new H2Database());
      case MEMORY -> new MemoryPlace();
    };
  }

  /** Which part of the limit it should reach; 0 if nothing is aimed at. */
  double ofLimit(Operation operation) {
    return switch (this) {
      case REDIS -> 0.55;
      case COMPACT -> 0.4;
      case POSTGRES -> operation == Operation.RUN_ONCE ? 0.6 : 0;
      default -> 0;
    };
  }

  /** How many times the floor it should do; 0 if nothing is aimed at. */
  double timesFloor(Operation operation, int threads) {
    return switch (this) {
      case REDIS, COMPACT -> threads == 1 ? 8 : 2;
      case POSTGRES -> operation == Operation.RUN_ONCE ? 15 : 0;
      default -> 0;
    };
  }

  /** Whether it lives in this process, and is measured with a million marks at most. */
  boolean small() {
    return this == H2 || this == MEMORY;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
