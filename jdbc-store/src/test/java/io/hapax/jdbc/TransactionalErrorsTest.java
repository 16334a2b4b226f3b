package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverListener;
import io.hapax.RetrySettings;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.Outcome;
import io.hapax.health.Problem;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the store may answer to a transaction: contention, an unknown commit, a late owner. A
 * handler may also end its transaction in a way that the guard cannot see, and fail.
 */
class TransactionalErrorsTest extends TransactionalFixture {

  private final List<String> fenced = new CopyOnWriteArrayList<>();
  private final List<String> recovered = new CopyOnWriteArrayList<>();
  private volatile boolean commits = true;

  private final ReceiverListener listener = new ReceiverListener() {
    @Override
    public void onFenced(MessageKey key, long token) {
      fenced.add(key.id().toString());
    }

    @Override
    public void onRecovery(MessageKey key, ClaimAnswer.Acquired acquired) {
      recovered.add(key.id().toString());
    }
  };

  @ParameterizedTest
  @CsvSource({"runOnce,true", "runOnce,false", "completeWith,true", "completeWith,false"})
  @DisplayName("invariant 8: an unknown commit is decided by repeating the call")
  void an_unknown_commit_takes_effect_once_and_is_known_as_executed(String verb, boolean committed)
      throws Exception {
    boolean probation = verb.equals("completeWith");
    List<Outcome> outcomes = receive(unknownOnce(verb, committed), lane("p0", probation, "a", "b"));

    assertThat(outcomes).allMatch(Outcome.Executed.class::isInstance);
    assertThat(effects()).containsExactly("a", "b");
  }

  @Test
  void contention_is_taken_apart_until_the_store_takes_what_is_left() throws Exception {
    Fault crowded = (verb, items, call) -> {
      if (verb.equals("runOnce") && items.size() > 1) {
        throw new StoreContentionException("deadlock", new SQLException("40001"));
      }
      return call.go();
    };

    List<Outcome> outcomes = receive(crowded, lane("p0", false, "a", "b", "c", "d", "e"));

    assertThat(outcomes).allMatch(Outcome.Executed.class::isInstance);
    assertThat(effects()).containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  @DisplayName("messages of one lane start in order, though contention took their batch apart")
  void messages_behind_a_contended_one_do_not_overtake_it() throws Exception {
    Fault contended = (verb, items, call) -> {
      if (verb.equals("runOnce") && holds(items, "b")) {
        throw new StoreContentionException("deadlock", new SQLException("40001"));
      }
      return call.go();
    };

    List<Outcome> outcomes = receive(contended, lane("p0", false, "a", "b", "c", "d"));

    assertThat(effects()).containsExactly("a");
    assertThat(outcomes.subList(1, 4)).noneMatch(Outcome::mayAcknowledge);
  }

  @Test
  @DisplayName("invariant 5: a claim that was taken over commits nothing and is no ack")
  void a_transaction_of_a_late_owner_is_not_executed() throws Exception {
    Fault overtaken = (verb, items, call) -> {
      if (verb.equals("completeWith")) {
        store.setClockOffset(Duration.ofHours(1));
        claimElsewhere("a", Duration.ofHours(5));
      }
      return call.go();
    };

    List<Outcome> outcomes = receive(overtaken, lane("p0", true, "a", "behind"));

    assertThat(outcomes).noneMatch(Outcome::mayAcknowledge);
    assertThat(effects()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("invariant 1: never an ack on a store error, and it costs no attempt")
  void a_transaction_that_the_store_refused_is_neither_an_ack_nor_an_attempt(boolean contention)
      throws Exception {
    Fault refusing = (verb, items, call) -> {
      if (verb.equals("completeWith")) {
        throw contention
            ? new StoreContentionException("deadlock", new SQLException("40001"))
            : new StoreException("the pool is empty");
      }
      return call.go();
    };

    List<Outcome> outcomes = receive(refusing, lane("p0", true, "a", "behind"));

    assertThat(outcomes).noneMatch(Outcome::mayAcknowledge);
    assertThat(effects()).isEmpty();
    assertThat(store.find(List.of(MessageKey.of("orders", "a"))).get(0).orElseThrow())
        .returns(MarkState.RETRY, Mark::state)
        .returns(0, mark -> mark.claim().attempt().number());
  }

  @Test
  @DisplayName("invariant 10: an attempt past the maximum does not run in a transaction either")
  void a_message_that_killed_its_owners_is_dead_lettered_without_running() throws Exception {
    for (int i = 0; i < 3; i++) {
      store.setClockOffset(Duration.ofHours(i));
      claimElsewhere("a", Duration.ofMinutes(1));
    }
    store.setClockOffset(Duration.ofHours(9));

    List<Outcome> outcomes =
        receive((verb, items, call) -> call.go(), lane("p0", false, "first", "a", "behind"));

    assertThat(outcomes.get(1)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).hasSize(1);
    assertThat(effects()).doesNotContain("a").contains("first");
  }

  /** Writes each message. After "b" it commits, and then throws. */
  private IdempotentReceiver<String> shop(Duration backoff) {
    return open(builder()
        .retry(new RetrySettings(2, backoff, backoff))
        .listener(listener)
        .transactional(store, TransactionalHandler.forEach((transaction, delivery) -> {
          write(transaction, delivery.message());
          if (commits && delivery.message().equals("b")) {
            commitPastTheGuard(transaction);
            throw new IllegalStateException("no stock");
          }
        })));
  }

  private static void commitPastTheGuard(Connection transaction) throws SQLException {
    try (Statement statement = transaction.createStatement()) {
      statement.execute("EXECUTE IMMEDIATE 'COMMIT'");
    }
  }

  private List<Outcome> deliver(IdempotentReceiver<String> shop, boolean oneByOne)
      throws Exception {
    return shop.receive(lane("p0", oneByOne, "a", "b", "c"), PATIENCE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_message_whose_handler_commits_and_throws_is_in_doubt(boolean oneByOne) throws Exception {
    IdempotentReceiver<String> shop = shop(Duration.ofMinutes(1));

    assertThat(deliver(shop, oneByOne))
        .extracting(Outcome::mayAcknowledge)
        .containsExactly(true, false, false);
    assertThat(mark("b").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("b").claim().attempt().inDoubt()).isTrue();
    assertThat(shop.health().problems())
        .singleElement()
        .satisfies(it -> assertThat(it.kind()).isEqualTo(Problem.Kind.MESSAGE_BLOCKED))
        .satisfies(it -> assertThat(it.text()).contains("these marks were committed"));
    assertThat(fenced).as("no other owner took the claim over").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_message_in_doubt_runs_again_and_is_reported_as_recovered(boolean oneByOne)
      throws Exception {
    IdempotentReceiver<String> shop = shop(Duration.ofMillis(1));
    deliver(shop, oneByOne);

    commits = false;
    await()
        .atMost(PATIENCE)
        .until(() -> deliver(shop, oneByOne).stream().allMatch(Outcome::mayAcknowledge));

    assertThat(effects()).contains("a", "c").filteredOn("b"::equals).hasSizeGreaterThan(1);
    assertThat(shop.health().problems()).isEmpty();
    assertThat(recovered).contains("b");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_handler_that_always_commits_and_throws_is_dead_lettered_in_doubt(boolean oneByOne)
      throws Exception {
    IdempotentReceiver<String> shop = shop(Duration.ofMillis(1));

    await().atMost(PATIENCE).untilAsserted(() -> {
      deliver(shop, oneByOne);
      assertThat(buried).hasSize(1);
    });

    assertThat(buried)
        .singleElement()
        .returns(true, DeadLetter::inDoubt)
        .returns(2, DeadLetter::attempts);
    assertThat(mark("b").state()).isEqualTo(MarkState.DEAD);
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
    assertThat(shop.health().problems()).isEmpty();
  }
}
