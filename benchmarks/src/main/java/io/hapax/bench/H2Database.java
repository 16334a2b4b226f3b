package io.hapax.bench;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;

/** H2 in a file inside this process. Each commit is written before it returns. */
final class H2Database implements Database {

  private final Path folder;

  H2Database() {
    try {
      folder = Files.createTempDirectory("hapax-bench-");
    } catch (IOException e) {
      throw new UncheckedIOException("no folder for H2", e);
    }
  }

  @Override
  public HikariDataSource pool(boolean autoCommit) {
    return Sql.pool(
        "jdbc:h2:file:" + folder.resolve("bench").toAbsolutePath()
            + ";WRITE_DELAY=0;REUSE_SPACE=FALSE",
        "sa",
        "",
        autoCommit);
  }

  @Override
  public OptionalLong pid() {
    return OptionalLong.empty();
  }

  @Override
  public String product() {
    return "H2";
  }

  @Override
  public String settings() {
    return """
        SELECT SETTING_NAME, SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS
        WHERE SETTING_NAME IN ('WRITE_DELAY', 'info.CACHE_MAX_SIZE')
        ORDER BY SETTING_NAME DESC
        """;
  }

  @Override
  public Object bits(long high, long low) {
    return new UUID(high, low);
  }

  /** Inserts a list of rows, which is faster here than arrays that must be cast and unnested. */
  @Override
  public void insert(Connection connection, String table, Columns columns, List<Object[]> rows)
      throws SQLException {
    Sql.insertValues(connection, table, columns, rows);
  }

  /** Updates without a cast of the array: the cast takes half as long again. */
  @Override
  public void finish(Connection connection, String table, List<Object> keys) throws SQLException {
    Sql.finish(connection, table, keys, "?");
  }

  @Override
  public String fill(String table, Columns columns, long from, long to) {
    return """
        INSERT INTO %s (%s)
        SELECT CAST(SUBSTRING(HASH('SHA-256', X'%s'
            || STRINGTOUTF8('%s' || LPAD(CAST(x AS VARCHAR), %d, '0'))) FROM 1 FOR 16) AS UUID), %s
        FROM SYSTEM_RANGE(%d, %d)
        """.formatted(
            table,
            columns.list(),
            Database.hashed(),
            Messages.KNOWN,
            Messages.DIGITS,
            Sql.typed(columns),
            from,
            to - 1);
  }

  @Override
  public List<String> settle(String table) {
    return List.of("ANALYZE TABLE " + table);
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the folder of H2 cannot be deleted", e);
    }
  }
}
