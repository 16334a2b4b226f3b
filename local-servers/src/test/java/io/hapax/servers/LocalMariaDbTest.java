package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
class LocalMariaDbTest {

  @Test
  void is_durable_by_default_and_its_databases_may_have_any_name() throws SQLException {
    try (LocalMariaDb server = LocalMariaDb.start();
        Connection connection = DriverManager.getConnection(
            server.jdbcUrl("mysql"), server.username(), server.password())) {
      assertThat(Sql.query(connection, "SELECT @@innodb_flush_log_at_trx_commit"))
          .containsExactly("1");
      assertThat(server.createDatabase("Odd `name`")).endsWith("Odd `name`");
      assertThat(Sql.query(connection, "SHOW DATABASES")).contains("Odd `name`");
      assertThatThrownBy(() -> server.createDatabase("Odd `name`"))
          .isInstanceOf(LocalServerException.class)
          .hasMessageContaining("Odd");
    }
  }
}
