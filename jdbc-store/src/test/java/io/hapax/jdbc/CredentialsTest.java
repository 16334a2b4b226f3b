package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.hapax.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an error shows of a URL. */
@Timeout(180)
class CredentialsTest {

  private static final String PASSWORD = "pw-that-nobody-may-see";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "No suitable driver found for jdbc:nosuch://host/db?user=app&password=%s",
        "No suitable driver found for jdbc:nosuch://app:%s@host/db",
        "No suitable driver found for jdbc:nosuch://app:a/b?%s@host/db?x=1",
        "No suitable driver found for jdbc:nosuch://app:two words @%s@host/db",
        "No suitable driver found for jdbc:nosuch://host/db?x=1&password=a@b%s",
        "URL format error; must be \"..\" but is \"jdbc:h2:x;USER=sa;PASSWORD=%s\"",
        "Cannot parse 'jdbc:mysql://address=(host=h)(password=%s)'",
        "Malformed database URL, failed to parse the connection string near ';PassWord = %s'",
        "Malformed database URL, failed to parse the connection string near 'app:%s@host'",
        "Duplicate property \"passwd\"=%s",
        "Incorrect port value : %s@host"
      })
  void whatever_may_be_a_password_is_cut(String text) {
    assertThat(Credentials.cutFrom(text.formatted(PASSWORD)))
        .startsWith(text.substring(0, 6))
        .doesNotContain(PASSWORD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Access denied for user 'app'@'localhost' (using password: YES)",
        "FATAL: password authentication failed for user \"app\"",
        "Socket fail to connect to host:address=(host=127.0.0.1)(port=1)(type=primary)",
        "No suitable driver found for jdbc:nosuch://host:3306/db",
        "pool - Connection is not available, request timed out after 500ms (total=0, idle=0)"
      })
  void what_is_none_stays(String text) {
    SQLException failure = new SQLException(text, "08001");

    assertThat(Credentials.cutFrom(text)).isEqualTo(text);
    assertThat(Credentials.cutFrom((Throwable) failure)).isSameAs(failure);
  }

  @Test
  void an_error_that_quotes_its_url_keeps_its_code_without_the_password() {
    SQLException failure = new SQLException("No suitable driver found for jdbc:x:?" + PASSWORD);
    SQLException outer = new SQLException("no connection", "08001", 7, failure);
    outer.addSuppressed(new IllegalStateException("jdbc:x://app:" + PASSWORD + "@host"));

    StoreException told = SqlErrors.during("claim", outer, JdbcSettings.DEFAULT);

    assertThat(told)
        .hasMessageContaining("claim: the database failed (SQLState 08001)")
        .hasMessageContaining("no connection")
        .hasStackTraceContaining("No suitable driver found for jdbc:x:?***")
        .hasStackTraceContaining("jdbc:x:***")
        .cause()
        .isInstanceOfSatisfying(SQLException.class, sql -> {
          assertThat(sql.getErrorCode()).isEqualTo(7);
          assertThat(sql.getStackTrace()).isEqualTo(outer.getStackTrace());
        });
    assertThat(Throwables.getStackTrace(told)).doesNotContain(PASSWORD);
  }

  @Tag("nightly")
  @Test
  void no_error_and_no_log_shows_the_password_of_a_url_or_a_pool() throws Exception {
    Process jvm = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=debug",
            "-cp",
            System.getProperty("java.class.path"),
            Refusals.class.getName(),
            Integer.toString(Databases.postgresPort()),
            Integer.toString(Databases.mariaDbPort()),
            PASSWORD)
        .redirectErrorStream(true)
        .start();
    String said = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(jvm.waitFor()).isZero();
    assertThat(said)
        .contains("DEBUG com.zaxxer.hikari")
        .contains("password authentication failed for user \"app\"")
        .contains("Access denied for user 'app'")
        .contains("Wrong user name or password")
        .contains("No suitable driver found for jdbc:nopostgresql:")
        .doesNotContain("opened")
        .doesNotContain(PASSWORD);
  }

  @Test
  void a_long_quote_of_a_driver_is_searched_without_delay() {
    String quoted = "a".repeat(300_000);

    assertThat(assertTimeoutPreemptively(
            Duration.ofSeconds(10), () -> Credentials.cutFrom(quoted + " secret1@host " + quoted)))
        .isEqualTo(quoted + " ***@*** " + quoted);
  }
}
