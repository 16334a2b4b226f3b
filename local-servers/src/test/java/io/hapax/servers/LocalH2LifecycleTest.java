package io.hapax.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("nightly")
class LocalH2LifecycleTest extends LifecycleContract<LocalH2> {

  @Override
  LocalServer.Builder<LocalH2> builder() {
    return LocalH2.builder();
  }

  @Override
  void write(LocalH2 server, String... values) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl("kept"));
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE kept (place INT GENERATED ALWAYS AS IDENTITY, v VARCHAR(9))");
      for (String value : values) {
        statement.execute("INSERT INTO kept (v) VALUES ('" + value + "')");
      }
    }
  }

  @Override
  List<String> read(LocalH2 server) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl("kept"))) {
      return Sql.query(connection, "SELECT v FROM kept ORDER BY place");
    }
  }

  @Override
  Refused refused() {
    return new Refused("tcpPort", "none", "NumberFormatException");
  }
}
