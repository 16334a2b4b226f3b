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

/** A database that runs, and its words for what is done beside the store. */
interface Database extends AutoCloseable {

  /** Connections to it. */
  HikariDataSource pool(boolean autoCommit);

  /** Its process; empty if it is this one. */
  OptionalLong pid();

  /** What it is called in the header; its version is put behind it. */
  String product();

  /** The settings that decide how fast it is, in its own words: a query of names and values. */
  String settings();

  /** What it counts of its own work: a query of names and numbers; empty if there is none. */
  default String counters() {
    return "";
  }

  /** Sixteen bytes as it keeps them. */
  Object bits(long high, long low);

  /** Inserts rows with one statement, whatever their number. */
  void insert(Connection connection, String table, Columns columns, List<Object[]> rows)
      throws SQLException;

  /** Makes open marks DONE with one statement, whatever their number. */
  void finish(Connection connection, String table, List<Object> keys) throws SQLException;

  /**
   * A statement that inserts a row for each known message of a range; its parameters are the values
   * of a row but the key, which is the first.
   */
  String fill(String table, Columns columns, long from, long to);

  /** How many rows a statement that fills is best to insert. */
  default int rowsOfFill() {
    return 250_000;
  }

  /** What makes a table that has just been filled like one that has lived. */
  List<String> settle(String table);

  @Override
  void close();

  /** What comes before a known message's id where its key is hashed, in hexadecimal digits. */
  static String hashed() {
    String scope = HexFormat.of().formatHex(RespSocket.ascii(Messages.SCOPE));
    int idLength = Messages.KNOWN.length() + Messages.DIGITS;
    return "%08x%s%08x".formatted(Messages.SCOPE.length(), scope, idLength);
  }

  /** The key as a parameter. */
  default Object key(MessageKey key) {
    return bits(key.high(), key.low());
  }

  /** The settings, asked on a connection, behind the product's version. */
  default Map<String, String> described(Connection connection) throws SQLException {
    Map<String, String> described = new LinkedHashMap<>();
    described.put(product(), connection.getMetaData().getDatabaseProductVersion());
    described.putAll(Sql.pairs(connection, settings()));
    return described;
  }
}
