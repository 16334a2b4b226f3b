package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.ExecutionResult;
import io.hapax.ExecutionResult.Conflict;
import io.hapax.ExecutionResult.Executed;
import io.hapax.ExecutionResult.InProgress;
import io.hapax.ExecutionResult.Replayed;
import io.hapax.ExecutorBuilder;
import io.hapax.IdempotentExecutor;
import io.hapax.TransactionalExecutor;
import io.hapax.errors.ResultTooLongException;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.mark.Nonce;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Executors in transactional mode: effect, mark and result are committed together. */
@Timeout(60)
abstract class TransactionalExecutorTests extends StoreTests {

  private static final Fingerprint BODY = fingerprint("body");
  private static final Fingerprint OTHER_BODY = fingerprint("other");

  private final String name = "executor-" + effect("");
  private TransactionalExecutor<Connection> executor;
  private TransactionalExecutor<Connection> twin;

  @BeforeEach
  final void openExecutors() {
    executor = builder().transactional(fixture.store());
    twin = builder().transactional(fixture.other());
  }

  private ExecutorBuilder builder() {
    return IdempotentExecutor.builder(name);
  }

  @AfterEach
  final void closeExecutors() {
    executor.close();
    twin.close();
  }

  private static Fingerprint fingerprint(String body) {
    return Fingerprint.of(body.getBytes(StandardCharsets.UTF_8));
  }

  private TransactionalExecutor.TransactionalCall<Connection, SQLException> returning(
      String result) {
    return (connection, delivery) -> {
      fixture.writeEffect(connection, effect(delivery.message().toString()));
      return Bytes.utf8(result);
    };
  }

  private static ExecutionResult replayed(String result) {
    return new Replayed(Optional.of(Bytes.utf8(result)));
  }

  private List<String> effects() throws SQLException {
    List<String> ids = new ArrayList<>();
    try (Connection connection = fixture.pool().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(
            "SELECT id FROM effects WHERE id LIKE '" + effect("") + "%' ORDER BY id")) {
      while (rows.next()) {
        ids.add(rows.getString(1).substring(effect("").length()));
      }
    }
    return ids;
  }

  @Test
  void a_duplicate_gets_the_result_of_the_first_call() throws Exception {
    assertThat(executor.execute("a", BODY, returning("first")))
        .isEqualTo(new Executed(Bytes.utf8("first")));

    assertThat(executor.execute("a", BODY, returning("second"))).isEqualTo(replayed("first"));
    assertThat(twin.execute("a", BODY, returning("third"))).isEqualTo(replayed("first"));
    assertThat(twin.execute("a", OTHER_BODY, returning("fourth"))).isEqualTo(new Conflict());
    assertThat(effects()).containsExactly("a");
  }

  @Test
  void the_longest_and_the_empty_result_are_replayed() throws Exception {
    String longest = "x".repeat(65_535);
    executor.execute("long", BODY, returning(longest));
    executor.execute("empty", BODY, returning(""));

    assertThat(twin.execute("long", BODY, returning("no"))).isEqualTo(replayed(longest));
    assertThat(twin.execute("empty", BODY, returning("no"))).isEqualTo(replayed(""));
  }

  @Test
  void a_result_beyond_the_limit_rolls_the_call_back() throws Exception {
    try (TransactionalExecutor<Connection> small =
        builder().resultLimit(3).transactional(fixture.store())) {
      assertThatThrownBy(() -> small.execute("a", BODY, returning("four")))
          .isInstanceOf(ResultTooLongException.class)
          .hasMessageContaining("the result of a has 4 bytes but resultLimit is 3");
      assertThat(effects()).isEmpty();

      assertThat(small.execute("a", BODY, returning("tri"))).isInstanceOf(Executed.class);
      assertThat(effects()).containsExactly("a");
    }
  }

  @Test
  void a_call_that_failed_is_rolled_back_and_runs_again_at_once() throws Exception {
    SQLException failure = new SQLException("no stock");
    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(() -> executor.execute("a", BODY, (connection, delivery) -> {
            fixture.writeEffect(connection, effect("a"));
            throw failure;
          }))
          .isSameAs(failure);
    }
    assertThat(effects()).isEmpty();

    assertThat(twin.execute("a", BODY, (connection, delivery) -> {
          assertThat(delivery.recovery()).isFalse();
          return returning("done").call(connection, delivery);
        }))
        .isEqualTo(new Executed(Bytes.utf8("done")));
    assertThat(effects()).containsExactly("a");
  }

  @Test
  void a_call_that_runs_elsewhere_is_in_progress() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Future<ExecutionResult> first =
        threads.submit(() -> executor.execute("a", BODY, (connection, delivery) -> {
          running.countDown();
          if (!end.await(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the test did not end the call");
          }
          return returning("first").call(connection, delivery);
        }));
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();

    assertThat(executor.execute("a", BODY, returning("same"))).isInstanceOf(InProgress.class);
    assertThat(twin.execute("a", BODY, returning("other"))).isInstanceOf(InProgress.class);

    end.countDown();
    assertThat(first.get()).isEqualTo(new Executed(Bytes.utf8("first")));
    assertThat(twin.execute("a", BODY, returning("later"))).isEqualTo(replayed("first"));
    assertThat(effects()).containsExactly("a");
  }

  @Test
  void two_executors_that_race_for_an_id_have_one_effect() throws Exception {
    for (int round = 0; round < 20; round++) {
      String id = "race" + round;
      CyclicBarrier start = new CyclicBarrier(4);
      List<Future<ExecutionResult>> answers = new ArrayList<>();
      for (TransactionalExecutor<Connection> one : List.of(executor, twin, executor, twin)) {
        answers.add(threads.submit(() -> {
          start.await(30, TimeUnit.SECONDS);
          return one.execute(id, BODY, returning(id));
        }));
      }
      int executed = 0;
      for (Future<ExecutionResult> answer : answers) {
        assertThat(answer.get()).isInstanceOfAny(Executed.class, Replayed.class, InProgress.class);
        executed += answer.get() instanceof Executed ? 1 : 0;
      }
      assertThat(executed).isEqualTo(1);
      assertThat(executor.execute(id, BODY, returning("again"))).isEqualTo(replayed(id));
    }
    assertThat(effects()).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void a_result_is_kept_only_under_the_claim_of_the_transaction() throws Exception {
    ClaimRequest request = request("a");
    JdbcDedupStore store = fixture.store();

    store.runOnce(List.of(request), (connection, answers) -> {
      Claim claim = ((ClaimAnswer.Acquired) answers.get(0)).claim();
      Claim foreign = new Claim(
          claim.key(),
          new Nonce(3, 4),
          claim.token(),
          claim.attempt(),
          claim.fingerprint(),
          claim.origin());
      assertThatThrownBy(() -> store.keepResult(connection, foreign, Bytes.utf8("no")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is not DONE in this transaction");
      store.keepResult(connection, claim, Bytes.utf8("first"));
      store.keepResult(connection, claim, Bytes.utf8("last"));
    });

    var mark = store.find(List.of(request.key())).get(0).orElseThrow();
    assertThat(mark.state()).isEqualTo(MarkState.DONE);
    assertThat(mark.detail()).isEqualTo(Bytes.utf8("last"));
  }

  @Test
  void a_claimed_message_may_keep_a_result_too() throws Exception {
    JdbcDedupStore store = fixture.store();
    Claim claim = claimed("b");

    store.completeWith(
        claim, connection -> store.keepResult(connection, claim, Bytes.utf8("result")));

    assertThat(store.find(List.of(claim.key())).get(0).orElseThrow().detail())
        .isEqualTo(Bytes.utf8("result"));
  }
}
