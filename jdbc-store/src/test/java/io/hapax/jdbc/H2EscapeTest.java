package io.hapax.jdbc;

import org.junit.jupiter.api.Test;

@TestDatabase.OnH2
class H2EscapeTest extends HandlerEscapeTests {

  @Test
  void statements_that_change_the_schema_are_refused_before_they_commit() {
    assertRefused("create", connection -> execute(connection, "CREATE TABLE surprise (id INT)"));
    assertRefused("truncate", connection -> execute(connection, "TRUNCATE TABLE effects"));
    assertRefused(
        "alter", connection -> execute(connection, "SELECT 1; ALTER TABLE effects ADD x INT"));
  }
}
