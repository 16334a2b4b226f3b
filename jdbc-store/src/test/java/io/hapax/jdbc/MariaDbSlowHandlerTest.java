package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.store.BrokenTransactionException;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

@TestDatabase.OnMariaDb
class MariaDbSlowHandlerTest extends SlowHandlerTests {

  /** MariaDB's driver gives it the state HY000 and no class of its own. */
  @Test
  void the_error_of_mysql_about_an_idle_session_is_a_lost_connection() {
    JdbcDedupStore store =
        fixture.storeOn(InterceptedDriver.with(fixture.pool(), (on, deed, call) -> {
          if (deed.startsWith("executeLargeUpdate")) {
            throw new SQLException("disconnected because of inactivity", "HY000", 4031);
          }
          return call.call();
        }));

    assertThatThrownBy(() -> run(store, "a", tx -> {
          try (Statement statement = tx.createStatement()) {
            statement.executeLargeUpdate("DELETE FROM effects WHERE id = ''");
          }
        }))
        .isInstanceOf(BrokenTransactionException.class)
        .hasMessageContaining("idleLimit");
    assertThat(SqlErrors.isConnectionLoss(new SQLException("", "HY000", 4031))).isTrue();
  }
}
