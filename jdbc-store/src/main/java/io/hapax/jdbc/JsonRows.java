package io.hapax.jdbc;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * One JSON text, an array of arrays in the order of the batch, for databases without arrays of
 * their own. Bits, bytes and text are hexadecimal in it, so that neither the connection's character
 * set nor a collation nor an escape has a say. 128 bits are kept as {@code BINARY(16)}.
 */
final class JsonRows implements Rows {

  private static final HexFormat HEX = HexFormat.of();

  @Override
  public <I> String relation(List<Column<I>> columns) {
    StringBuilder paths = new StringBuilder();
    for (int i = 0; i < columns.size(); i++) {
      paths.append(i == 0 ? "" : ", ").append(columns.get(i).name()).append(' ');
      paths
          .append(jsonType(columns.get(i).type()))
          .append(" PATH '$[")
          .append(i)
          .append("]'");
    }
    String values = columns.stream()
        .map(column -> value(column) + " AS " + column.name())
        .collect(Collectors.joining(", "));
    return "(SELECT " + values + " FROM JSON_TABLE(:batch, '$[*]' COLUMNS (" + paths
        + ")) AS j) AS s";
  }

  private static String jsonType(Column.Type type) {
    return switch (type) {
      case UUID -> "VARCHAR(32)";
      case INTEGER -> "INT";
      case BIGINT -> "BIGINT";
      case TEXT, BYTES -> "MEDIUMTEXT"; // from LONGTEXT, MariaDB takes any value for too long
    };
  }

  private static String value(Column<?> column) {
    String json = "j." + column.name();
    return switch (column.type()) {
      case INTEGER, BIGINT -> json;
      case UUID, BYTES -> "UNHEX(" + json + ")";
      case TEXT -> "CONVERT(UNHEX(" + json + ") USING utf8mb4)";
    };
  }

  @Override
  public <I> void bind(SqlStatement<?> statement, List<Column<I>> columns, List<I> items) {
    StringBuilder json = new StringBuilder("[");
    for (I item : items) {
      json.append(json.length() == 1 ? "[" : ",[");
      String separator = "";
      for (Column<I> column : columns) {
        json.append(separator).append(json(column.value().apply(item)));
        separator = ",";
      }
      json.append(']');
    }
    statement.bind("batch", json.append(']').toString());
  }

  private static String json(@Nullable Object value) {
    if (value == null) {
      return "null";
    } else if (value instanceof Number number) {
      return number.toString();
    } else if (value instanceof UUID bits) {
      return '"' + HEX.formatHex(bytes(bits)) + '"';
    } else if (value instanceof byte[] bytes) {
      return '"' + HEX.formatHex(bytes) + '"';
    }
    return '"' + HEX.formatHex(value.toString().getBytes(StandardCharsets.UTF_8)) + '"';
  }

  @Override
  public Object bound(UUID bits) {
    return bytes(bits);
  }

  private static byte[] bytes(UUID bits) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(bits.getMostSignificantBits())
        .putLong(bits.getLeastSignificantBits())
        .array();
  }

  @Override
  public @Nullable UUID bits(ResultSet row, String column) throws SQLException {
    byte[] bytes = row.getBytes(column);
    if (bytes == null) {
      return null;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UUID(buffer.getLong(), buffer.getLong());
  }
}
