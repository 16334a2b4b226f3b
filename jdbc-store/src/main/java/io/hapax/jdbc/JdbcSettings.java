package io.hapax.jdbc;

import java.time.Duration;
import java.util.regex.Pattern;

/** The checked settings of {@link JdbcDedupStoreBuilder}. */
record JdbcSettings(
    String table,
    Retention retention,
    Duration lockWait,
    Duration idleLimit,
    boolean volatileAllowed,
    boolean leasedOnly) {

  private static final Pattern NAME =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,39}\\.)?[A-Za-z_][A-Za-z0-9_]{0,39}");

  static final JdbcSettings DEFAULT = new JdbcSettings(
      "hapax_marks",
      new Retention(Duration.ofDays(8), Duration.ofDays(90)),
      Duration.ofSeconds(1),
      Duration.ofMinutes(1),
      false,
      false);

  JdbcSettings {
    if (!NAME.matcher(table).matches()) {
      throw new IllegalArgumentException("table is '" + table
          + "' but must be a name of at most 40 letters, digits and underscores that does not"
          + " start with a digit, with or without a schema before it");
    }
    atLeastOneMilli("lockWait", lockWait);
    atLeastOneMilli("idleLimit", idleLimit);
    if (lockWait.compareTo(Duration.ofMinutes(5)) > 0) {
      throw new IllegalArgumentException(
          "lockWait is " + lockWait + " but must be at most five minutes");
    }
    if (idleLimit.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(
          "idleLimit is " + idleLimit + " but must be at most a day");
    }
  }

  static void atLeastOneMilli(String setting, Duration value) {
    if (value.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException(
          setting + " is " + value + " but must be at least one millisecond");
    }
  }

  JdbcSettings withTable(String name) {
    return new JdbcSettings(name, retention, lockWait, idleLimit, volatileAllowed, leasedOnly);
  }

  JdbcSettings withRetention(Retention value) {
    return new JdbcSettings(table, value, lockWait, idleLimit, volatileAllowed, leasedOnly);
  }

  JdbcSettings withLockWait(Duration value) {
    return new JdbcSettings(table, retention, value, idleLimit, volatileAllowed, leasedOnly);
  }

  JdbcSettings withIdleLimit(Duration value) {
    return new JdbcSettings(table, retention, lockWait, value, volatileAllowed, leasedOnly);
  }

  JdbcSettings withVolatileAllowed(boolean value) {
    return new JdbcSettings(table, retention, lockWait, idleLimit, value, leasedOnly);
  }

  JdbcSettings withLeasedOnly() {
    return new JdbcSettings(table, retention, lockWait, idleLimit, volatileAllowed, true);
  }
}
