package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a MySQL or MariaDB server. Batches need {@code JSON_TABLE} (MariaDB 10.6, MySQL
 * 8.0.4), the purge needs {@code SKIP LOCKED} (MariaDB 10.6, MySQL 8.0.1).
 */
record MySqlVersion(String text) {

  private static final Pattern NUMBERS = Pattern.compile("^(\\d+)\\.(\\d+)(?:\\.(\\d+))?");

  static MySqlVersion of(Connection connection) throws SQLException {
    return new MySqlVersion(Dialect.first(connection, "SELECT VERSION()").orElseThrow());
  }

  void refuseIfTooOld() {
    boolean mariaDb = text.contains("MariaDB");
    if (!(mariaDb ? isAtLeast(10, 6, 0) : isAtLeast(8, 0, 4))) {
      throw new IllegalArgumentException("version of the server is '" + text + "' but must be "
          + (mariaDb ? "MariaDB 10.6" : "MySQL 8.0.4") + " or newer");
    }
  }

  /** Accepts a version whose numbers are missing. */
  private boolean isAtLeast(int major, int minor, int patch) {
    Matcher numbers = NUMBERS.matcher(text);
    if (!numbers.find()) {
      return true;
    }
    long wanted = rank(major, minor, patch);
    String last = numbers.group(3) == null ? "999" : numbers.group(3);
    return rank(
            Long.parseLong(numbers.group(1)),
            Long.parseLong(numbers.group(2)),
            Long.parseLong(last))
        >= wanted;
  }

  private static long rank(long major, long minor, long patch) {
    return (major * 1000 + minor) * 1000 + patch;
  }
}
