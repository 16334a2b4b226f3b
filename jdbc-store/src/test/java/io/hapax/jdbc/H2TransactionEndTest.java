package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.MarkState;
import io.hapax.store.BrokenTransactionException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2TransactionEndTest extends TransactionEndTests {

  @TempDir
  static Path directory;

  @Override
  JdbcFixture open() {
    String url = "jdbc:h2:file:" + directory.resolve("end" + UUID.randomUUID()) + ";WRITE_DELAY=0";
    return new JdbcFixture(() -> Databases.h2(url));
  }

  @Override
  String countBlocked() {
    return "SELECT count(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL";
  }

  @Override
  String patient() {
    return "SET LOCK_TIMEOUT 20000";
  }

  @Test
  void a_hidden_statement_that_commits_is_told_with_the_marks_that_stand() {
    assertThatThrownBy(() -> fixture.store().runOnce(List.of(request("a")), (connection, it) -> {
          fixture.writeEffect(connection, effect("a"));
          execute(connection, "EXECUTE IMMEDIATE 'COMMIT'");
          fixture.writeEffect(connection, effect("a"));
        }))
        .isInstanceOf(BrokenTransactionException.class)
        .hasMessageContaining("ended the transaction")
        .hasMessageContaining("STAND as done")
        .hasMessageContaining(key("a").toString());

    assertThat(state("a")).isEqualTo(MarkState.DONE);
    assertThat(effects("a")).isEqualTo(1);
  }

  @Test
  void a_hidden_rollback_is_told_to_have_left_nothing() {
    assertThatThrownBy(() -> fixture.store().runOnce(List.of(request("a")), (connection, it) -> {
          fixture.writeEffect(connection, effect("a"));
          execute(connection, "EXECUTE IMMEDIATE 'ROLLBACK'");
        }))
        .isInstanceOf(BrokenTransactionException.class)
        .hasMessageContaining("ended the transaction")
        .hasMessageContaining("everything was rolled back");

    assertThat(state("a")).isEqualTo(MarkState.ABSENT);
  }
}
