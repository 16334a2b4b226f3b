package io.hapax.jdbc;

import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2EscapeTest extends HandlerEscapeTests {

  @TempDir
  static Path directory;

  @Override
  JdbcFixture open() {
    String url = "jdbc:h2:file:" + directory.resolve("escape" + UUID.randomUUID())
        + ";WRITE_DELAY=0;REUSE_SPACE=FALSE";
    return new JdbcFixture(() -> Databases.h2(url));
  }

  @Test
  void statements_that_change_the_schema_are_refused_before_they_commit() {
    assertRefused("create", connection -> execute(connection, "CREATE TABLE surprise (id INT)"));
    assertRefused("truncate", connection -> execute(connection, "TRUNCATE TABLE effects"));
    assertRefused(
        "alter", connection -> execute(connection, "SELECT 1; ALTER TABLE effects ADD x INT"));
  }
}
