package io.hapax.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * H2 in a file inside this process. Each commit is written before it returns. Lists of rows are
 * faster here than arrays that must be cast and unnested.
 */
final class H2Database extends Database {

  private final Path folder;

  private H2Database(Path folder) {
    super("jdbc:h2:file:" + folder.resolve("bench") + ";WRITE_DELAY=0;REUSE_SPACE=FALSE", "sa", "");
    this.folder = folder;
  }

  static H2Database start() throws IOException {
    return new H2Database(Files.createTempDirectory("hapax-bench-").toAbsolutePath());
  }

  @Override
  String settings() {
    return """
        SELECT SETTING_NAME, SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS
        WHERE SETTING_NAME IN ('WRITE_DELAY', 'info.CACHE_MAX_SIZE')
        ORDER BY SETTING_NAME DESC
        """;
  }

  @Override
  String fillFormat() {
    return """
        INSERT INTO %s (%s)
        SELECT CAST(SUBSTRING(HASH('SHA-256', X'%s'
            || STRINGTOUTF8('%s' || LPAD(CAST(x AS VARCHAR), %d, '0'))) FROM 1 FOR 16) AS UUID), %s
        FROM %s, SYSTEM_RANGE(%d, %d)
        """;
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
