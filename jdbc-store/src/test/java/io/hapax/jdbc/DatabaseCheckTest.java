package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseCheckTest {

  @TempDir
  private Path directory;

  private static JdbcDedupStoreBuilder builder(DataSource dataSource) {
    return JdbcDedupStore.builder(dataSource).createIfAbsent();
  }

  private static void assertRefused(JdbcDedupStoreBuilder builder, String reason) {
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void h2_with_its_default_write_delay_is_refused_by_name() {
    try (HikariDataSource pool = Databases.h2File(directory, "")) {
      assertRefused(builder(pool), "WRITE_DELAY is 500 ms but must be 0");
      assertThatCode(() -> builder(pool).allowVolatile(true).build()).doesNotThrowAnyException();
      assertThat(builder(pool).leasedOnly().build().warnings())
          .singleElement()
          .asString()
          .startsWith("the database may lose a commit: WRITE_DELAY is 500 ms but must be 0");
    }
  }

  @Test
  void h2_whose_file_once_had_no_write_delay_is_refused_when_it_has_one_now() {
    String url = "jdbc:h2:file:" + directory.resolve("reopened") + ";REUSE_SPACE=FALSE";
    try (HikariDataSource pool = Databases.h2(url + ";WRITE_DELAY=0")) {
      assertThatCode(() -> builder(pool).build()).doesNotThrowAnyException();
    }
    try (HikariDataSource pool = Databases.h2(url)) {
      assertRefused(builder(pool), "500 ms but must be 0");
    }
  }

  @Test
  void h2_that_writes_over_what_it_freed_is_refused_by_name() {
    try (HikariDataSource pool = Databases.h2File(directory, ";WRITE_DELAY=0")) {
      assertRefused(builder(pool), "REUSE_SPACE is true but must be FALSE");
      assertThatCode(() -> builder(pool).leasedOnly().build()).doesNotThrowAnyException();
      assertThatCode(() -> builder(pool).allowVolatile(true).build()).doesNotThrowAnyException();
    }
  }

  @Test
  void h2_that_writes_each_commit_behind_the_last_is_accepted() {
    try (HikariDataSource pool = Databases.h2File(directory, ";WRITE_DELAY=0;REUSE_SPACE=FALSE")) {
      assertThat(builder(pool).build().warnings()).isEmpty();
    }
  }

  @Test
  void h2_in_memory_is_refused_unless_the_user_insists() {
    try (HikariDataSource pool = Databases.h2InMemory()) {
      assertRefused(builder(pool), "in memory only");
    }
  }

  @ParameterizedTest
  @CsvSource({"fsync, fsync is off", "full_page_writes, full_page_writes is off but must be on"})
  void postgres_that_forgets_or_cannot_mend_a_torn_page_is_refused_by_name(
      String setting, String reason) {
    try (LocalPostgres server = LocalPostgres.builder().setting(setting, "off").start();
        HikariDataSource pool = Databases.postgres(server, server.jdbcUrl())) {
      assertRefused(builder(pool), reason);
      assertThatCode(() -> builder(pool).leasedOnly().build().close()).doesNotThrowAnyException();
      assertThatCode(() -> builder(pool).allowVolatile(true).build().close())
          .doesNotThrowAnyException();
    }
  }

  @Test
  void postgres_that_acknowledges_early_is_refused_by_name() {
    try (HikariDataSource pool = Databases.postgresWith("synchronous_commit=off")) {
      assertRefused(builder(pool), "synchronous_commit is off");
    }
  }

  @Test
  void postgres_with_an_unlogged_table_is_refused_by_name() throws SQLException {
    try (HikariDataSource pool = Databases.postgres()) {
      builder(pool).table("quick_marks").build().close();
      try (Connection connection = pool.getConnection()) {
        StoreTests.execute(connection, "ALTER TABLE quick_marks SET UNLOGGED");
      }

      assertRefused(
          builder(pool).table("quick_marks"), "table quick_marks or a partition of it is UNLOGGED");
      builder(pool).table("quick_marks").leasedOnly().build().close();
      builder(pool).table("quick_marks").allowVolatile(true).build().close();
    }
  }
}
