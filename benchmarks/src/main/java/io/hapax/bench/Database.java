package io.hapax.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.mark.MessageKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** A running database, with its dialect for all work outside of the store. */
interface Database extends AutoCloseable {

  /** Opens a connection pool. */
  HikariDataSource pool(boolean autoCommit);

  /** Returns the server's process id; empty if it is this process. */
  OptionalLong pid();

  /** Returns the product's name for the header. The version is appended. */
  String product();

  /** Returns a query of names and values for the settings that decide the speed. */
  String settings();

  /**
   * Returns a query of names and numbers for the server's own counters; empty if there are none.
   */
  default String counters() {
    return "";
  }

  /** Converts sixteen bytes to the type of the key's column. */
  Object bits(long high, long low);

  /** Inserts all rows with one statement. */
  void insert(Connection connection, String table, Columns columns, List<Object[]> rows)
      throws SQLException;

  /** Makes all open marks DONE with one statement. */
  void finish(Connection connection, String table, List<Object> keys) throws SQLException;

  /**
   * Returns a statement that inserts one row for each known message of a range. Its parameters are
   * the values of a row without the key, which is the first column.
   */
  String fill(String table, Columns columns, long from, long to);

  /** Returns the best number of rows for one fill statement. */
  default int rowsOfFill() {
    return 250_000;
  }

  /**
   * Returns statements that bring a table that has just been filled into the state of a table in
   * use.
   */
  List<String> settle(String table);

  @Override
  void close();

  /**
   * Returns the prefix, in hexadecimal digits, that is hashed together with the id of a known
   * message.
   */
  static String hashed() {
    String scope = HexFormat.of().formatHex(RespSocket.ascii(Messages.SCOPE));
    int idLength = Messages.KNOWN.length() + Messages.DIGITS;
    return "%08x%s%08x".formatted(Messages.SCOPE.length(), scope, idLength);
  }

  /** Returns the key as a parameter. */
  default Object key(MessageKey key) {
    return bits(key.high(), key.low());
  }

  /** Reads the product's version and the settings. */
  default Map<String, String> described(Connection connection) throws SQLException {
    Map<String, String> described = new LinkedHashMap<>();
    described.put(product(), connection.getMetaData().getDatabaseProductVersion());
    described.putAll(Sql.pairs(connection, settings()));
    return described;
  }
}
