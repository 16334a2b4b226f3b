package io.hapax.jdbc;

import io.hapax.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends a batch as one JSON text, an array of arrays, to databases without array types. Keys, bytes
 * and text are hexadecimal in it, so that character sets, collations and escapes do not matter. 128
 * bits are stored as {@code BINARY(16)}.
 *
 * <p>A batch that exceeds the server's packet limit is halved until it fits.
 */
record JsonRows(long maxAllowedPacket) implements Rows {

  /** Bytes for the statement itself and what a driver adds. */
  static final int RESERVED = 16 * 1024;

  /** The most bytes in a cell: a MEDIUMTEXT takes twice as many digits. */
  private static final int LONGEST = (1 << 23) - 1;

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
      case TEXT, BYTES -> "MEDIUMTEXT"; // MariaDB refuses any value of a LONGTEXT as too long
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
  public <I> List<Part<I>> parts(List<Column<I>> columns, List<I> items) {
    String json = json(columns, items);
    if (json.length() <= (maxAllowedPacket - RESERVED) / 2 || fits(json)) {
      return List.of(new Part<>(items, statement -> statement.bind("batch", json)));
    } else if (items.size() == 1) {
      throw new StoreException(
          "max_allowed_packet is " + maxAllowedPacket + " bytes, but a mark of " + json.length()
              + " bytes must be sent: raise it, or use shorter ids and results");
    }
    int half = items.size() / 2;
    return Stream.of(items.subList(0, half), items.subList(half, items.size()))
        .flatMap(part -> parts(columns, part).stream())
        .toList();
  }

  /** Counts quotes twice, because a driver escapes each of them. */
  private boolean fits(String json) {
    long quotes = json.chars().filter(c -> c == '"').count();
    return json.length() + quotes <= maxAllowedPacket - RESERVED;
  }

  private static <I> String json(List<Column<I>> columns, List<I> items) {
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
    return json.append(']').toString();
  }

  private static String json(@Nullable Object value) {
    if (value == null) {
      return "null";
    } else if (value instanceof Number number) {
      return number.toString();
    } else if (value instanceof UUID bits) {
      return '"' + HEX.formatHex(bytes(bits)) + '"';
    } else if (value instanceof byte[] bytes) {
      return hex(bytes);
    }
    return hex(value.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static String hex(byte[] bytes) {
    if (bytes.length > LONGEST) {
      throw new StoreException("an id or a result has " + bytes.length + " bytes but must have at"
          + " most " + LONGEST + " on MySQL and MariaDB");
    }
    return '"' + HEX.formatHex(bytes) + '"';
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
