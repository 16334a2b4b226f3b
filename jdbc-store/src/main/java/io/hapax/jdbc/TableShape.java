package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compares a table with the script that creates it. */
final class TableShape {

  private static final String NO_KEY = "k is not the primary key";
  private static final String NO_INDEX = "there is no index on expires_at_us";

  /** A column in a script: name, type, nullability. */
  private static final Pattern LINE = Pattern.compile(
      "^  (\\w+) ([A-Za-z]+(?: VARYING)?(?:\\(\\d+\\))?)(.*?),?$", Pattern.MULTILINE);

  /** Some servers report a display width for integers. */
  private static final Pattern WIDTH = Pattern.compile("(int)\\(\\d+\\)");

  private final Dialect.Catalogue catalogue;
  private final Map<String, Type> wanted;

  /** The declared type of a column. */
  private record Type(String name, boolean nullable) {
    static Type of(String name, boolean nullable) {
      String lower = name.toLowerCase(Locale.ROOT);
      return new Type(WIDTH.matcher(lower).replaceAll("$1"), nullable);
    }
  }

  TableShape(Dialect.Catalogue catalogue, String script) {
    this.catalogue = catalogue;
    this.wanted = columnsOf(script);
  }

  private static Map<String, Type> columnsOf(String script) {
    Map<String, Type> columns = new LinkedHashMap<>();
    Matcher line = LINE.matcher(script);
    while (line.find()) {
      if (!line.group(1).equals("KEY")) {
        boolean nullable =
            !line.group(3).contains("NOT NULL") && !line.group(3).contains("PRIMARY KEY");
        columns.put(line.group(1), Type.of(line.group(2), nullable));
      }
    }
    return columns;
  }

  /** Returns what prevents the use of the table; empty if there is no table. */
  Optional<List<String>> faults(Connection connection) throws SQLException {
    Map<String, Type> present = columns(connection);
    if (present.isEmpty()) {
      return Optional.empty();
    }
    List<String> faults = new ArrayList<>();
    wanted.forEach((name, type) -> fault(name, type, present.get(name)).ifPresent(faults::add));
    Map<String, List<String>> indexes = indexes(connection);
    if (!indexes.containsValue(List.of("UNIQUE", "k"))) {
      faults.add(NO_KEY);
    }
    if (indexes.values().stream().noneMatch(index -> index.get(1).equals("expires_at_us"))) {
      faults.add(NO_INDEX);
    }
    query(
        connection,
        catalogue.indexesWithoutKey(),
        row -> faults.add("index " + row.getString("name") + " is unique without k, so the store"
            + " may treat two messages as one: drop it, or make it an index that is not unique"));
    return Optional.of(faults);
  }

  /** Returns whether the faults may be those of a table that another node is creating. */
  static boolean isUnfinished(List<String> faults) {
    return !faults.isEmpty() && Set.of(NO_KEY, NO_INDEX).containsAll(faults);
  }

  private static Optional<String> fault(String name, Type wanted, @Nullable Type present) {
    if (present == null) {
      return Optional.of("column " + name + " is missing");
    } else if (!present.name().equals(wanted.name())) {
      return Optional.of(
          "column " + name + " is " + present.name() + " but must be " + wanted.name());
    } else if (wanted.nullable() && !present.nullable()) {
      return Optional.of("column " + name + " is NOT NULL but must be nullable");
    }
    return Optional.empty();
  }

  private static void query(Connection connection, String sql, SqlTemplates.RowReader reader)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        reader.read(row);
      }
    }
  }

  private Map<String, Type> columns(Connection connection) throws SQLException {
    Map<String, Type> columns = new HashMap<>();
    query(
        connection,
        catalogue.columns(),
        row -> columns.put(
            row.getString("name").toLowerCase(Locale.ROOT),
            Type.of(row.getString("type"), row.getString("nullable").equals("YES"))));
    return columns;
  }

  /** Returns for each index its kind, followed by its columns in order. */
  private Map<String, List<String>> indexes(Connection connection) throws SQLException {
    Map<String, List<String>> indexes = new HashMap<>();
    query(connection, catalogue.indexes(), row -> {
      String kind = row.getString("kind");
      indexes
          .computeIfAbsent(row.getString("name"), name -> new ArrayList<>(List.of(kind)))
          .add(row.getString("column_name").toLowerCase(Locale.ROOT));
    });
    return indexes;
  }
}
