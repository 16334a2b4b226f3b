package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
