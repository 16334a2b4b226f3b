package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalMariaDb;
import io.hapax.store.StoreException;
import org.junit.jupiter.api.Test;

class MariaDbCheckTest {

  private static void refused(LocalMariaDb.Builder server, String message) {
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
  void a_log_that_is_not_flushed_at_commit_is_refused_by_name() {
    refused(
        LocalMariaDb.builder().notDurable(), "innodb_flush_log_at_trx_commit is 2 but must be 1");
  }

  @Test
  void pages_without_doublewrite_are_refused_by_name() {
    refused(
        LocalMariaDb.builder().setting("innodb_doublewrite", "OFF"),
        "innodb_doublewrite is OFF but must be ON");
  }

  @Test
  void a_binary_log_that_is_not_synced_is_refused_by_name() {
    refused(
        LocalMariaDb.builder().setting("log_bin", "binlog").setting("sync_binlog", "0"),
        "sync_binlog is 0 but must be 1");
  }

  @Test
  void a_durable_server_is_accepted_through_either_driver_also_with_a_database_before_the_table() {
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

  @Test
  void a_missing_table_is_named_with_what_to_run() {
    for (HikariDataSource pool :
        new HikariDataSource[] {Databases.mariaDb(), Databases.mysqlDriver()}) {
      try (pool) {
        assertThatThrownBy(() -> JdbcDedupStore.builder(pool).table("nowhere").build())
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("table nowhere is missing")
            .hasMessageContaining("createIfAbsent()");
        assertThat(JdbcDedupStore.ddl(pool, "nowhere"))
            .contains("CREATE TABLE IF NOT EXISTS nowhere");
      }
    }
  }
}
