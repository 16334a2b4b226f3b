package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the store may answer to a transaction: contention, an unknown commit, a late owner. */
class TransactionalErrorsTest extends TransactionalFixture {

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
}
