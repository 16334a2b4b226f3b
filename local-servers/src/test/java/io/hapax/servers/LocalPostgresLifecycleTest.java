package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("nightly")
class LocalPostgresLifecycleTest extends LifecycleContract<LocalPostgres> {

  @Override
  LocalServer.Builder<LocalPostgres> builder() {
    return LocalPostgres.builder();
  }

  @Override
  void write(LocalPostgres server, String... values) throws SQLException {
    Sql.run(server, server.jdbcUrl(), "CREATE TABLE kept (value text)");
    for (String value : values) {
      Sql.run(server, server.jdbcUrl(), "INSERT INTO kept VALUES ('" + value + "')");
    }
  }

  @Override
  List<String> read(LocalPostgres server) throws SQLException {
    return Sql.query(server, server.jdbcUrl(), "SELECT value FROM kept ORDER BY value");
  }

  @Override
  Refused refused() {
    return new Refused(
        "shared_buffers", "plenty", "invalid value for parameter \"shared_buffers\": \"plenty\"");
  }

  @ParameterizedTest
  @MethodSource("io.hapax.servers.PostgresUser#usable")
  void runs_in_every_way_that_this_machine_allows_also_after_a_crash(PostgresUser user)
      throws SQLException {
    try (LocalPostgres postgres = LocalPostgres.builder(user).start()) {
      postgres.kill();
      postgres.restart();

      assertThat(Sql.query(postgres, postgres.jdbcUrl(), "SELECT 1")).containsExactly("1");
    }
  }
}
