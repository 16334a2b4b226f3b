package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
class LocalMariaDbLifecycleTest extends LifecycleContract<LocalMariaDb> {

  @Override
  LocalServer.Builder<LocalMariaDb> builder() {
    return LocalMariaDb.builder();
  }

  private static Connection connect(LocalMariaDb server, String url) throws SQLException {
    return DriverManager.getConnection(url, server.username(), server.password());
  }

  @Override
  void write(LocalMariaDb server, String... values) throws SQLException {
    try (Connection connection = connect(server, server.createDatabase("kept"));
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE kept (value varchar(10)) ENGINE=InnoDB");
      for (String value : values) {
        statement.execute("INSERT INTO kept VALUES ('" + value + "')");
      }
    }
  }

  @Override
  List<String> read(LocalMariaDb server) throws SQLException {
    try (Connection connection = connect(server, server.jdbcUrl("kept"))) {
      return Sql.query(connection, "SELECT value FROM kept ORDER BY value");
    }
  }

  @Override
  Refused refused() {
    return new Refused("binlog_format", "plenty", "plenty");
  }

  @Test
  void is_durable_by_default() throws SQLException {
    try (LocalMariaDb durable = LocalMariaDb.start();
        Connection connection = connect(durable, durable.jdbcUrl("mysql"))) {
      assertThat(Sql.query(connection, "SELECT @@innodb_flush_log_at_trx_commit"))
          .containsExactly("1");
    }
  }

  @Test
  void databases_are_separate_and_may_have_any_name() throws SQLException {
    try (LocalMariaDb server = LocalMariaDb.start()) {
      String odd = server.createDatabase("Odd `name`");

      try (Connection connection = connect(server, server.jdbcUrl("mysql"))) {
        assertThat(Sql.query(connection, "SHOW DATABASES")).contains("Odd `name`");
      }
      assertThat(odd).endsWith("Odd `name`");
      assertThatThrownBy(() -> server.createDatabase("Odd `name`"))
          .isInstanceOf(LocalServerException.class)
          .hasMessageContaining("Odd");
    }
  }
}
