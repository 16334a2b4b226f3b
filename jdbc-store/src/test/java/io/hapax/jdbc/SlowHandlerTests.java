package io.hapax.jdbc;

import static io.hapax.jdbc.TransactionalFixture.lane;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.RetrySettings;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.MarkState;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers that are slower than a limit which the server sets to their transaction. */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
abstract class SlowHandlerTests extends StoreTests {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private <T> T choose(T onPostgres, T onMariaDb) {
    return database == TestDatabase.POSTGRES ? onPostgres : onMariaDb;
  }

  /** A query for the number of its own session. */
  private String ownSession() {
    return choose("SELECT pg_backend_pid()", "SELECT connection_id()");
  }

  /** A query that counts the sessions with a number. */
  private String countSessions() {
    return choose(
        "SELECT count(*) FROM pg_stat_activity WHERE pid = ",
        "SELECT count(*) FROM information_schema.PROCESSLIST WHERE ID = ");
  }

  /** A statement that ends the session with a number. */
  private String endSession() {
    return choose("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ", "KILL ");
  }

  /** Statements that give a session another limit of a second. */
  private List<String> otherLimits() {
    return choose(
        List.of("SET transaction_timeout = '1s'"),
        List.of("SET idle_transaction_timeout = 1", "SET idle_write_transaction_timeout = 1"));
  }

  private JdbcDedupStore store(UnaryOperator<JdbcDedupStoreBuilder> more) {
    return more.apply(builder(fixture.pool())).build();
  }

  private JdbcDedupStore impatient() {
    return impatient(Duration.ofSeconds(1));
  }

  private JdbcDedupStore impatient(Duration idleLimit) {
    return store(it -> it.idleLimit(idleLimit));
  }

  private void untilGone(Connection connection) throws SQLException {
    String session = text(connection, ownSession());
    try (Connection watch = fixture.pool().getConnection()) {
      await().until(() -> text(watch, countSessions() + session).equals("0"));
    }
  }

  private void assertFailed(JdbcDedupStore store, Work handler, String limit) {
    assertThatThrownBy(() -> run(store, "a", tx -> handler.in(tx)))
        .isInstanceOf(BrokenTransactionException.class)
        .hasMessageContaining(limit);

    assertNothingRemains();
  }

  @Test
  void a_transaction_that_the_server_ended_because_it_was_idle_is_the_handlers_failure()
      throws SQLException {
    assertFailed(
        impatient(),
        connection -> {
          untilGone(connection);
          fixture.writeEffect(connection, effect("a"));
        },
        "idleLimit");
    assertFailed(impatient(), this::untilGone, "idleLimit");

    assertThat(runOnce("a")).hasOnlyElementsOfType(Acquired.class);
    assertThat(effects("a")).isEqualTo(1);
  }

  @Test
  void a_claim_whose_transaction_was_idle_for_too_long_is_the_handlers_failure() {
    assertThatThrownBy(() -> impatient().completeWith(claimed("a"), this::untilGone))
        .isInstanceOf(BrokenTransactionException.class);

    assertThat(state("a")).isEqualTo(MarkState.PROCESSING);
  }

  @Test
  void an_idle_transaction_of_a_frame_is_the_handlers_failure_too() {
    ThreadBoundFrame frame = new ThreadBoundFrame(fixture.pool());
    JdbcDedupStore framed =
        store(it -> it.idleLimit(Duration.ofSeconds(1)).transactionFrame(frame));

    assertFailed(framed, connection -> untilGone(frame.connection()), "idleLimit");
    assertFailed(
        framed,
        connection -> {
          untilGone(frame.connection());
          fixture.writeEffect(frame.connection(), effect("a"));
        },
        "idleLimit");
  }

  @Test
  void a_limit_of_the_servers_own_is_the_handlers_failure_too() throws SQLException {
    for (String limit : otherLimits()) {
      try (Connection real = fixture.pool().getConnection()) {
        execute(real, limit);
        JdbcDedupStore store = builder(new SingleConnection(real)).build();

        assertFailed(store, this::untilGone, limit.split(" ", 4)[1]);
      }
    }
  }

  @Test
  void a_session_that_is_lost_otherwise_is_not_the_handlers_failure() {
    assertThatThrownBy(() -> run(store(), "a", connection -> {
          fixture.execute(endSession() + text(connection, ownSession()));
          fixture.writeEffect(connection, effect("a"));
        }))
        .isExactlyInstanceOf(StoreException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_slow_message_fails_alone_and_is_dead_lettered_when_its_attempts_are_used_up(
      boolean probation) throws Exception {
    String[] ids = IntStream.range(0, 20).mapToObj(i -> "m" + i).toArray(String[]::new);
    try (IdempotentReceiver<String> shop = IdempotentReceiver.<String>builder("orders")
        .id(text -> Optional.of(Bytes.utf8(effect(text))))
        .noFingerprint()
        .retry(new RetrySettings(2, Duration.ofMillis(1), Duration.ofMillis(1)))
        .deadLetters(letter -> {})
        .transactional(
            impatient(Duration.ofSeconds(3)),
            TransactionalHandler.forEach((connection, delivery) -> {
              if (delivery.message().equals("m19")) {
                untilGone(connection);
              }
              fixture.writeEffect(connection, effect(delivery.message()));
            }))) {
      List<Outcome> outcomes = shop.receive(lane("p0", probation, ids), PATIENCE);

      assertThat(outcomes.subList(0, 19)).hasOnlyElementsOfType(Outcome.Executed.class);
      assertThat(outcomes.get(19))
          .isInstanceOfSatisfying(
              Deferred.class,
              it -> assertThat(it)
                  .returns(Reason.RETRY, Deferred::reason)
                  .extracting(Deferred::detail)
                  .asString()
                  .contains("idleLimit"));
      assertThat(shop.receive(lane("p0", probation, "m19"), PATIENCE))
          .hasOnlyElementsOfType(Outcome.DeadLettered.class);
    }
    assertThat(effects("m18")).isEqualTo(1);
    assertThat(effects("m19")).isZero();
  }
}
