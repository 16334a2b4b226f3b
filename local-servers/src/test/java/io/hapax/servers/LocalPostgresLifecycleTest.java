package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class LocalPostgresLifecycleTest {

  @Test
  void forgets_a_crash_of_the_machine_only_when_told_to() throws SQLException {
    try (LocalPostgres postgres = LocalPostgres.builder().notDurable().start()) {
      for (String setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
        assertThat(Sql.query(postgres, postgres.jdbcUrl(), "SHOW " + setting))
            .as(setting)
            .containsExactly("off");
      }
    }
  }

  @Test
  void a_given_directory_keeps_its_data_for_the_next_server(@TempDir Path directory)
      throws SQLException {
    try (LocalPostgres first = LocalPostgres.start(directory)) {
      Sql.run(first, first.jdbcUrl(), "CREATE TABLE kept AS SELECT 'a' AS value");
    }

    try (LocalPostgres second = LocalPostgres.builder()
        .directory(directory)
        .setting("wal_level", "logical")
        .start()) {
      assertThat(Sql.query(second, second.jdbcUrl(), "SELECT value FROM kept"))
          .containsExactly("a");
      assertThat(Sql.query(second, second.jdbcUrl(), "SHOW wal_level")).containsExactly("logical");
    }
  }

  @Test
  void a_server_that_cannot_start_says_why(@TempDir Path directory) {
    LocalPostgres.Builder broken =
        LocalPostgres.builder().directory(directory).setting("shared_buffers", "plenty");

    assertThatThrownBy(broken::start)
        .isInstanceOf(LocalServerException.class)
        .hasMessageContaining("ended with status 1")
        .hasMessageContaining("invalid value for parameter \"shared_buffers\": \"plenty\"");
  }

  @ParameterizedTest
  @MethodSource("io.hapax.servers.PostgresUser#usable")
  void runs_in_every_way_that_this_machine_allows_and_is_gone_when_closed_after_a_pause(
      PostgresUser user) throws SQLException {
    LocalPostgres postgres = LocalPostgres.builder().runAs(user).start();
    List<ProcessHandle> processes;
    try (postgres) {
      postgres.kill();
      postgres.restart();
      assertThat(Sql.query(postgres, postgres.jdbcUrl(), "SELECT 1")).containsExactly("1");
      processes = Processes.tree(postgres.pid());
      postgres.pause();
    }

    assertThat(processes).hasSizeGreaterThan(5).allMatch(ProcessTree::isGone);
    assertThatThrownBy(postgres::restart)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }
}
