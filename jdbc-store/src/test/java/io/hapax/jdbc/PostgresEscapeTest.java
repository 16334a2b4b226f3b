package io.hapax.jdbc;

import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

@TestDatabase.OnPostgres
class PostgresEscapeTest extends HandlerEscapeTests {

  @Test
  void an_array_leads_back_to_the_guard() {
    assertRefused(
        "array made",
        connection -> connection
            .createArrayOf("int4", new Integer[] {1})
            .getResultSet()
            .getStatement()
            .getConnection()
            .commit());
    assertRefused("array read", connection -> {
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT ARRAY[1, 2]")) {
        row.next();
        row.getArray(1).getResultSet().getStatement().getConnection().commit();
      }
    });
  }

  @Test
  void a_cursor_leads_back_to_the_guard() {
    fixture.execute("CREATE OR REPLACE FUNCTION one_row() RETURNS refcursor LANGUAGE plpgsql AS"
        + " $$ DECLARE c refcursor; BEGIN OPEN c FOR SELECT 1; RETURN c; END $$");

    assertRefused("cursor", connection -> {
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT one_row()")) {
        row.next();
        ((ResultSet) row.getObject(1)).getStatement().getConnection().commit();
      }
    });
  }

  @Test
  void statements_of_postgres_that_end_the_transaction_are_refused() {
    assertRefused("end", connection -> execute(connection, "END"));
    assertRefused("abort", connection -> execute(connection, "SELECT 1; ABORT"));
    assertRefused(
        "behind a dollar quote", connection -> execute(connection, "SELECT $a$'$a$; COMMIT"));
    assertRefused(
        "behind an escape", connection -> execute(connection, "SELECT E'\\''; COMMIT; SELECT ''"));
  }
}
