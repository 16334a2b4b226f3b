package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("nightly")
@Timeout(60)
class LocalPostgresTest {

  private static LocalPostgres postgres;

  @BeforeAll
  static void start() {
    postgres = LocalPostgres.start();
  }

  @AfterAll
  static void close() {
    postgres.close();
  }

  @ParameterizedTest
  @CsvSource({
    "fsync, on",
    "synchronous_commit, on",
    "full_page_writes, on",
    "shared_buffers, 64MB",
    "max_connections, 100",
    "server_encoding, UTF8",
    "listen_addresses, 127.0.0.1"
  })
  void is_durable_and_small_by_default(String setting, String value) throws SQLException {
    assertThat(Sql.query(postgres, postgres.jdbcUrl(), "SHOW " + setting)).containsExactly(value);
  }

  @Test
  void databases_are_separate_and_may_have_any_name() throws SQLException {
    String first = postgres.createDatabase("first");
    String odd = postgres.createDatabase("Odd 'name'");

    Sql.run(postgres, first, "CREATE TABLE here (id int)");

    assertThat(
            Sql.query(postgres, first, "SELECT count(*) FROM pg_tables WHERE tablename = 'here'"))
        .containsExactly("1");
    assertThat(Sql.query(postgres, odd, "SELECT count(*) FROM pg_tables WHERE tablename = 'here'"))
        .containsExactly("0");
    assertThatThrownBy(() -> postgres.createDatabase("first"))
        .isInstanceOf(LocalServerException.class)
        .hasMessageContaining("first");
  }

  @Test
  void a_wrong_password_is_refused() {
    assertThatThrownBy(
            () -> DriverManager.getConnection(postgres.jdbcUrl(), postgres.username(), "guess"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("password");
  }

  @Test
  void a_kill_ends_open_sessions_and_keeps_committed_rows_only() throws SQLException {
    String url = postgres.createDatabase("killed");
    Sql.run(postgres, url, "CREATE TABLE kept AS SELECT 'a' AS value");
    List<ProcessHandle> before;
    try (Connection open = Sql.connect(postgres, url)) {
      open.setAutoCommit(false);
      Sql.query(open, "INSERT INTO kept VALUES ('not committed') RETURNING value");
      before = Processes.tree(postgres.pid());

      postgres.kill();
    }

    assertThat(before).hasSizeGreaterThan(5).allMatch(ProcessTree::isGone);
    postgres.restart();
    assertThat(Sql.query(postgres, url, "SELECT value FROM kept")).containsExactly("a");
  }

  @ParameterizedTest
  @MethodSource("io.hapax.servers.PostgresUser#usable")
  void runs_in_every_way_that_this_machine_allows_also_after_a_crash(PostgresUser user)
      throws SQLException {
    try (LocalPostgres server = LocalPostgres.builder(user).start()) {
      server.kill();
      server.restart();

      assertThat(Sql.query(server, server.jdbcUrl(), "SELECT 1")).containsExactly("1");
    }
  }
}
