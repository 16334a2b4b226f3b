package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same claim, sent twice in the same microsecond, makes the same mark of the same row. Only one
 * of the two has written it, and only that one may run the handler.
 */
class TwinChangesTest {

  private static final MessageKey KEY = MessageKey.of("twins", "the same");
  private static final ClaimRequest REQUEST = request(2);

  static Stream<Named<Supplier<HikariDataSource>>> databases() {
    return Stream.of(
        Named.of("H2", Databases::h2InMemory),
        Named.of("MariaDB", Databases::mariaDb),
        Named.of("MariaDB through MySQL's driver", Databases::mysqlDriver),
        Named.of("PostgreSQL", Databases::postgres));
  }

  @ParameterizedTest
  @MethodSource("databases")
  void of_two_that_insert_the_same_mark_one_has_written_it(Supplier<HikariDataSource> database)
      throws SQLException {
    try (JdbcFixture fixture = new JdbcFixture(database)) {
      Table table = new Table(fixture);
      StoredMark absent = new StoredMark(Mark.absent(KEY), 0);
      Mark done = done(absent);

      assertThat(table.insert(absent, done)).containsExactly(KEY);
      assertThat(table.insert(absent, done)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void of_two_that_make_the_same_of_a_mark_one_has_written_it(Supplier<HikariDataSource> database)
      throws SQLException {
    try (JdbcFixture fixture = new JdbcFixture(database)) {
      Acquired failed = (Acquired)
          fixture.store().claim(List.of(request(1)), Duration.ofMinutes(1)).get(0);
      fixture
          .store()
          .settle(List.of(new Settlement(failed.claim(), new Verdict.Retry(Duration.ZERO, false))));
      Table table = new Table(fixture);
      StoredMark waiting = table.read();
      Mark done = done(waiting);

      assertThat(table.update(waiting, done, 1)).containsExactly(KEY);
      assertThat(table.update(waiting, done, 2)).isEmpty();
    }
  }

  private static ClaimRequest request(long nonce) {
    return new ClaimRequest(
        KEY,
        new Nonce(1, nonce),
        Fingerprint.NONE,
        Origin.NONE,
        new ClaimTerms(false, false, ClaimTerms.ANY_TIME));
  }

  private static Mark done(StoredMark was) {
    Mark done =
        MarkMachine.complete(was.mark(), REQUEST, Instant.now().plusSeconds(60)).next();
    assertThat(done.state()).isEqualTo(MarkState.DONE);
    return done;
  }

  /** The statements on a fixture's table, each in autocommit. */
  private static final class Table {

    private final Connections connections;
    private final Statements statements;

    Table(JdbcFixture fixture) throws SQLException {
      JdbcSettings settings = JdbcSettings.DEFAULT.withTable(fixture.table());
      try (Connection connection = fixture.pool().getConnection()) {
        Dialect dialect = Dialect.of(connection);
        this.connections = new Connections(fixture.pool(), dialect, settings);
        this.statements = new Statements(dialect, settings, settings.table());
      }
    }

    StoredMark read() {
      return Objects.requireNonNull(connections
          .autocommit("read", handle -> statements.read(handle, List.of(KEY)))
          .marks()
          .get(KEY));
    }

    Set<MessageKey> insert(StoredMark was, Mark next) {
      Change change = new Change(was, next, Instant.MAX);
      Set<MessageKey> written = new HashSet<>();
      return connections.autocommit("insert", handle -> {
        statements.insert(handle, List.of(change), written::addAll);
        return written;
      });
    }

    /** The step of the version is given, because two random ones may be the same. */
    Set<MessageKey> update(StoredMark was, Mark next, int step) {
      Change change = new Change(was, next, Instant.MAX, was.version() + step);
      Set<MessageKey> written = new HashSet<>();
      return connections.autocommit("update", handle -> {
        statements.update(handle, List.of(change), written::addAll);
        return written;
      });
    }
  }
}
