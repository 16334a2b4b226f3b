package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
  void is_durable_and_small_unless_told_otherwise(String setting, String value)
      throws SQLException {
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
  void committed_rows_survive_a_kill_with_open_sessions_and_are_served_at_the_same_port()
      throws SQLException {
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

  @Test
  void a_paused_server_does_not_answer_and_a_waiting_query_gets_its_answer_when_it_goes_on()
      throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (Connection connection = Sql.connect(postgres, postgres.jdbcUrl())) {
      Future<List<String>> waiting;
      postgres.pause();
      try {
        waiting = thread.submit(() -> Sql.query(connection, "SELECT 'answer'"));
        assertThatThrownBy(() -> waiting.get(300, TimeUnit.MILLISECONDS))
            .isInstanceOf(TimeoutException.class);
        assertThatThrownBy(
                () -> Sql.run(postgres, postgres.jdbcUrl() + "?loginTimeout=1", "SELECT 1"))
            .isInstanceOf(SQLException.class);
      } finally {
        postgres.resume();
      }
      assertThat(waiting.get(30, TimeUnit.SECONDS)).containsExactly("answer");
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void a_running_server_is_restarted_in_good_order_with_its_data() throws SQLException {
    String url = postgres.createDatabase("restarted");
    Sql.run(postgres, url, "CREATE TABLE kept AS SELECT 'a' AS value");
    long pid = postgres.pid();

    postgres.restart();

    assertThat(Processes.isGone(pid)).isTrue();
    assertThat(Sql.query(postgres, url, "SELECT value FROM kept")).containsExactly("a");
  }
}
