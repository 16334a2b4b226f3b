package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same claim, sent twice in the same microsecond, makes the same mark of the same row. Only one
 * of the two has written it, and only that one may run the handler.
 */
@ParameterizedClass
@EnumSource(names = {"H2", "POSTGRES", "MARIADB", "MYSQL_DRIVER"})
class TwinChangesTest extends StoreTests {

  private final MessageKey key = key("the same");
  private Connections connections;
  private Statements statements;

  /** Prepares statements on the fixture's table, each in autocommit. */
  @BeforeEach
  void openStatements() throws SQLException {
    JdbcSettings settings = JdbcSettings.DEFAULT.withTable(fixture.table());
    try (Connection connection = fixture.pool().getConnection()) {
      Dialect dialect = Dialect.of(connection);
      connections = new Connections(fixture.pool(), dialect, settings);
      statements = new Statements(dialect, settings, settings.table());
    }
  }

  @Test
  void of_two_that_insert_the_same_mark_one_has_written_it() {
    StoredMark absent = new StoredMark(Mark.absent(key), 0);
    Mark done = done(absent);

    assertThat(insert(absent, done)).containsExactly(key);
    assertThat(insert(absent, done)).isEmpty();
  }

  @Test
  void of_two_that_make_the_same_of_a_mark_one_has_written_it() {
    settle(store(), List.of(claimed("the same")), new Verdict.Retry(Duration.ZERO, false));
    StoredMark waiting = Objects.requireNonNull(connections
        .autocommit("read", handle -> statements.read(handle, List.of(key)))
        .marks()
        .get(key));
    Mark done = done(waiting);

    assertThat(update(waiting, done, 1)).containsExactly(key);
    assertThat(update(waiting, done, 2)).isEmpty();
  }

  private Mark done(StoredMark was) {
    Mark done = MarkMachine.complete(
            was.mark(), request("the same"), Instant.now().plusSeconds(60))
        .next();
    assertThat(done.state()).isEqualTo(MarkState.DONE);
    return done;
  }

  private Set<MessageKey> insert(StoredMark was, Mark next) {
    Change change = new Change(was, next, Instant.MAX);
    Set<MessageKey> written = new HashSet<>();
    return connections.autocommit("insert", handle -> {
      statements.insert(handle, List.of(change), written::addAll);
      return written;
    });
  }

  /** The step of the version is given, because two random ones may be the same. */
  private Set<MessageKey> update(StoredMark was, Mark next, int step) {
    Change change = new Change(was, next, Instant.MAX, was.version() + step);
    Set<MessageKey> written = new HashSet<>();
    return connections.autocommit("update", handle -> {
      statements.update(handle, List.of(change), written::addAll);
      return written;
    });
  }
}
