package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.assertj.core.util.Throwables;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.SqlStatements;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How often statements that lost against other transactions are tried again, and when. */
class ConnectionsTest {

  private final HikariDataSource pool = Databases.h2InMemory();
  private final List<Integer> pauses = new ArrayList<>();
  private final Connections connections =
      new Connections(pool, new H2Dialect(), JdbcSettings.DEFAULT, pauses::add);

  @AfterEach
  void close() {
    pool.close();
  }

  private interface Way extends BiFunction<Connections, Function<Handle, String>, String> {}

  private static Stream<Way> ways() {
    return Stream.of(
        (connections, statements) -> connections.autocommit("claim", statements),
        (connections, statements) -> connections.transaction("purge", statements));
  }

  /** Statements that fail so often, and then do not. */
  private static Function<Handle, String> failing(int times, String state) {
    List<SQLException> failures = new ArrayList<>();
    return handle -> {
      if (failures.size() < times) {
        failures.add(new SQLException("not now", state));
        throw new IllegalStateException(failures.get(failures.size() - 1));
      }
      return "done";
    };
  }

  @ParameterizedTest
  @MethodSource("ways")
  void statements_that_lost_a_deadlock_are_retried_after_growing_pauses(Way way) {
    assertThat(way.apply(connections, failing(4, "40001"))).isEqualTo("done");

    assertThat(pauses).containsExactly(1, 2, 3, 4);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void contention_is_reported_after_five_tries(Way way) {
    assertThatThrownBy(() -> way.apply(connections, failing(5, "40P01")))
        .isInstanceOf(StoreContentionException.class);

    assertThat(pauses).hasSize(4);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void any_other_error_is_reported_at_once(Way way) {
    assertThatThrownBy(() -> way.apply(connections, failing(1, "08006")))
        .isInstanceOf(StoreException.class);

    assertThat(pauses).isEmpty();
  }

  @Test
  void colliding_transactions_pause_for_different_times_that_grow() {
    for (int tries = 1; tries <= 4; tries++) {
      int lost = tries;
      Set<Long> nanos = LongStream.generate(() -> Connections.pauseNanos(lost))
          .limit(1000)
          .boxed()
          .collect(Collectors.toSet());

      assertThat(nanos).hasSizeGreaterThan(900);
      assertThat(Collections.min(nanos)).isBetween(0L, 2_000_000L * tries);
      assertThat(Collections.max(nanos)).isBetween(8_000_000L * tries, 10_000_000L * tries);
    }
  }

  @Test
  void statements_that_lost_a_deadlock_wait_before_the_next_try() {
    Connections waiting = new Connections(pool, new H2Dialect(), JdbcSettings.DEFAULT);
    long begin = System.nanoTime();

    IntStream.range(0, 10).forEach(i -> waiting.autocommit("claim", failing(4, "40001")));

    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(200));
  }

  @Test
  void a_failed_commit_shows_no_password() {
    String password = "pw-that-nobody-may-see";
    DataSource failing = InterceptedDriver.with(pool, (on, deed, call) -> {
      if (deed.equals("commit")) {
        throw new SQLException("no connection to jdbc:x://app:" + password + "@host", "08006");
      }
      return call.call();
    });
    Connections lost = new Connections(failing, new H2Dialect(), JdbcSettings.DEFAULT);

    assertThatThrownBy(() -> lost.transaction("purge", handle -> "done"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("commit failed and may have taken effect (SQLState 08006)")
        .hasStackTraceContaining("no connection to jdbc:x:***")
        .satisfies(it -> assertThat(Throwables.getStackTrace(it)).doesNotContain(password));
  }

  @Test
  void transactions_of_a_frame_share_their_parsed_statements() throws SQLException {
    try (Connection connection = pool.getConnection();
        Handle first = Connections.wrap(connection);
        Handle second = Connections.wrap(connection)) {
      assertThat(parser(second)).isSameAs(parser(first));
    }
  }

  private static SqlParser parser(Handle handle) {
    return handle.getConfig(SqlStatements.class).getSqlParser();
  }
}
