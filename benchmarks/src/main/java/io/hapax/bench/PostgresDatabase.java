package io.hapax.bench;

import io.hapax.bench.SqlRaw.Columns;
import io.hapax.servers.LocalPostgres;
import java.lang.reflect.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** PostgreSQL, durable, with the memory of a small server of its own. */
final class PostgresDatabase extends Database {

  private PostgresDatabase(LocalPostgres server) {
    super(server.jdbcUrl(), server.username(), server.password(), """
        SELECT name, current_setting(name) FROM pg_settings WHERE name IN ('fsync',
          'synchronous_commit', 'full_page_writes', 'wal_sync_method', 'shared_buffers',
          'max_wal_size')
        ORDER BY name
        """, server::close);
  }

  static Database start() {
    return new PostgresDatabase(LocalPostgres.builder()
        .setting("shared_buffers", "1GB")
        .setting("max_wal_size", "8GB")
        .setting("checkpoint_timeout", "30min")
        .start());
  }

  @Override
  void insert(Connection connection, String table, Columns columns, List<Object[]> rows)
      throws SQLException {
    if (rows.size() == 1) {
      super.insert(connection, table, columns, rows);
      return;
    }
    String arrays = columns.types().stream()
        .map(type -> "CAST(? AS " + type + "[])")
        .collect(Collectors.joining(", "));
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + table + " ("
        + columns.list() + ") SELECT * FROM unnest(" + arrays + ")")) {
      for (int i = 0; i < columns.types().size(); i++) {
        int column = i;
        Object[] values =
            rows.stream().map(row -> row[column]).toArray(length -> empty(rows, column, length));
        insert.setArray(i + 1, connection.createArrayOf(columns.types().get(i), values));
      }
      expect(rows.size(), insert.executeUpdate());
    }
  }

  /** Creates an array of the column's type, because drivers have fast paths for typed arrays. */
  private static Object[] empty(List<Object[]> rows, int column, int length) {
    Object value = rows.get(0)[column];
    return (Object[]) Array.newInstance(value == null ? String.class : value.getClass(), length);
  }

  @Override
  void finish(Connection connection, String table, List<Object> keys) throws SQLException {
    if (keys.size() == 1) {
      super.finish(connection, table, keys);
      return;
    }
    try (PreparedStatement update =
        connection.prepareStatement(FINISH.formatted(table) + "= ANY(CAST(? AS UUID[]))")) {
      update.setArray(1, connection.createArrayOf("UUID", keys.toArray(UUID[]::new)));
      expect(keys.size(), update.executeUpdate());
    }
  }

  @Override
  List<String> settle(String table) {
    return List.of("VACUUM ANALYZE " + table, "CHECKPOINT");
  }
}
