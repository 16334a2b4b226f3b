package io.hapax.bench;

import java.util.Locale;

enum StoreKind {
  /** Redis, marks as strings. */
  REDIS,
  /** Redis, marks in buckets. */
  COMPACT,
  POSTGRES,
  MARIADB,
  /** H2 in a file, inside this process. */
  H2,
  MEMORY;

  BenchmarkTarget open() throws Exception {
    return switch (this) {
      case REDIS -> new RedisTarget(false);
      case COMPACT -> new RedisTarget(true);
      case POSTGRES -> new SqlTarget(PostgresDatabase.start());
      case MARIADB -> new SqlTarget(Database.mariaDb());
      case H2 -> new SqlTarget(Database.h2());
      case MEMORY -> new MemoryTarget();
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
