package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Tries which statements the database's user may execute on the table. None changes a row. */
enum Grants {
  SELECT("SELECT k FROM ${table} WHERE 1 = 0"),
  INSERT("INSERT INTO ${table} (k) SELECT k FROM ${table} WHERE 1 = 0"),
  UPDATE("UPDATE ${table} SET version = version WHERE 1 = 0"),
  DELETE("DELETE FROM ${table} WHERE 1 = 0");

  private final String trial;

  Grants(String trial) {
    this.trial = trial;
  }

  /** Returns what a store needs. One that neither purges nor has transactions may only look. */
  static Set<Grants> needed(boolean leasedOnly, boolean purges) {
    if (purges) {
      return EnumSet.allOf(Grants.class);
    }
    return leasedOnly ? EnumSet.of(SELECT) : EnumSet.of(SELECT, INSERT, UPDATE);
  }

  static List<String> missing(Connection connection, String table, Set<Grants> needed) {
    List<String> missing = new ArrayList<>();
    for (Grants each : needed) {
      if (each.isDenied(connection, table)) {
        missing.add(each.name());
      }
    }
    return missing;
  }

  /** Ignores other errors: a server that is read-only for now may accept the statement later. */
  private boolean isDenied(Connection connection, String table) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(trial.replace("${table}", table));
      return false;
    } catch (SQLException e) {
      return SqlErrors.isDenied(e);
    }
  }
}
