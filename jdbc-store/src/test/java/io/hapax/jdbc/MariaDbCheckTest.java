package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalMariaDb;
import io.hapax.servers.LocalServer;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("nightly")
class MariaDbCheckTest {

  private static Stream<Arguments> lossy() {
    return Stream.of(
        arguments(
            LocalMariaDb.builder().setting("innodb_flush_log_at_trx_commit", "2"),
            "innodb_flush_log_at_trx_commit is 2 but must be 1"),
        arguments(
            LocalMariaDb.builder().setting("innodb_doublewrite", "OFF"),
            "innodb_doublewrite is OFF but must be ON"),
        arguments(
            LocalMariaDb.builder().setting("log_bin", "binlog").setting("sync_binlog", "0"),
            "sync_binlog is 0 but must be 1"));
  }

  @ParameterizedTest
  @MethodSource("lossy")
  void a_server_that_may_forget_a_commit_is_refused_by_the_name_of_its_setting(
      LocalServer.Builder<LocalMariaDb> server, String message) {
    try (LocalMariaDb started = server.start();
        HikariDataSource pool = Databases.mariaDb(started, started.createDatabase("marks"))) {
      assertThatThrownBy(() -> JdbcDedupStore.builder(pool).createIfAbsent().build())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(message);
      assertThatCode(
              () -> JdbcDedupStore.builder(pool).createIfAbsent().leasedOnly().build())
          .doesNotThrowAnyException();
    }
  }

  @Test
  void statements_in_the_binary_log_are_refused_by_name_whatever_the_mode() {
    try (LocalMariaDb server = LocalMariaDb.builder()
            .setting("log_bin", "binlog")
            .setting("sync_binlog", "1")
            .setting("binlog_format", "STATEMENT")
            .start();
        HikariDataSource pool = Databases.mariaDb(server, server.createDatabase("marks"))) {
      assertThatThrownBy(
              () -> JdbcDedupStore.builder(pool).createIfAbsent().leasedOnly().build())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("binlog_format is STATEMENT but must be ROW or MIXED");
    }
  }

  @Test
  void a_session_that_refuses_updates_of_many_rows_is_refused_by_name() {
    for (TestDatabase driver : List.of(TestDatabase.MARIADB, TestDatabase.MYSQL_DRIVER)) {
      try (HikariDataSource pool =
          driver.mariaDbWith("?sessionVariables=sql_safe_updates=1,wait_timeout=100")) {
        assertThatThrownBy(() -> JdbcDedupStore.builder(pool)
                .table("safe_marks")
                .createIfAbsent()
                .leasedOnly()
                .build())
            .as(driver.name())
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("sql_safe_updates is ON but must be OFF")
            .hasMessageContaining("sessionVariables=sql_safe_updates=0");
      }
    }
  }

  @Test
  void a_table_of_another_engine_is_refused_with_what_to_run() {
    try (HikariDataSource pool = Databases.mariaDb()) {
      Jdbi.create(pool)
          .useHandle(handle ->
              handle.execute(JdbcDedupStore.ddl(pool, "elsewhere").replace("InnoDB", "MyISAM")));

      assertThatThrownBy(
              () -> JdbcDedupStore.builder(pool).table("elsewhere").leasedOnly().build())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("engine of table elsewhere is MyISAM but must be InnoDB")
          .hasMessageContaining("ALTER TABLE elsewhere ENGINE = InnoDB");
    }
  }

  @Test
  void a_view_is_refused_because_it_has_no_engine() {
    try (HikariDataSource pool = Databases.mariaDb()) {
      Jdbi.create(pool).useHandle(handle -> {
        handle.execute(JdbcDedupStore.ddl(pool, "behind"));
        handle.execute("CREATE VIEW in_front AS SELECT * FROM behind");
      });

      assertThatThrownBy(
              () -> JdbcDedupStore.builder(pool).table("in_front").leasedOnly().build())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("engine of table in_front is VIEW but must be InnoDB");
    }
  }

  @Test
  void a_table_with_a_trigger_is_refused_by_its_name() {
    try (HikariDataSource pool = Databases.mariaDb()) {
      Jdbi.create(pool).useHandle(handle -> {
        handle.execute(JdbcDedupStore.ddl(pool, "watched"));
        handle.execute("CREATE TRIGGER watcher BEFORE INSERT ON watched FOR EACH ROW"
            + " SET NEW.until_us = NEW.until_us + 1");
      });

      assertThatThrownBy(() -> JdbcDedupStore.builder(pool).table("watched").build())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("table watched has the trigger watcher but must have none");
    }
  }

  @Test
  void a_server_that_is_too_old_is_refused_by_its_version() {
    for (String old :
        List.of("10.5.29-MariaDB-log", "5.5.5-10.4.1-MariaDB", "8.0.3", "5.7.44-log")) {
      assertThatThrownBy(() -> new MySqlVersion(old).refuseIfTooOld())
          .hasMessageContaining("version of the server is '" + old + "' but must be");
    }
    for (String recent :
        List.of("10.6.0-MariaDB", "11.4.5-MariaDB", "8.0.4", "8.0.mysql_aurora", "9.5.0", "next")) {
      assertThatCode(() -> new MySqlVersion(recent).refuseIfTooOld())
          .as(recent)
          .doesNotThrowAnyException();
    }
  }

  @Test
  void a_durable_server_is_accepted_through_either_driver() {
    for (HikariDataSource pool :
        new HikariDataSource[] {Databases.mariaDb(), Databases.mysqlDriver()}) {
      try (pool) {
        assertThatCode(() -> JdbcDedupStore.builder(pool)
                .table("marks.in_database")
                .createIfAbsent()
                .build())
            .doesNotThrowAnyException();
      }
    }
  }
}
