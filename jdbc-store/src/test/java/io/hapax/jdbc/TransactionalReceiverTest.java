package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.adapter.Submission;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The engine in transactional mode, on a durable H2 file: effects and marks stand or fall together.
 */
class TransactionalReceiverTest extends TransactionalFixture {

  @Test
  @DisplayName("invariant 8: effects and marks commit together, one transaction for a poll")
  void a_batch_takes_effect_once_and_its_redelivery_not_at_all() throws Exception {
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> write(tx, delivery.message()));

    assertThat(receive(shop, "a", "b", "a", "c")).allMatch(Outcome::mayAcknowledge);
    assertThat(receive(shop, "c", "b", "a")).containsOnly(new Outcome.Duplicate());

    assertThat(effects()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void a_poll_of_known_messages_opens_no_transaction_and_calls_no_handler() throws Exception {
    List<String> transactions = new CopyOnWriteArrayList<>();
    ThreadBoundFrame frame = new ThreadBoundFrame(database) {
      @Override
      void begin(Connection connection) throws SQLException {
        transactions.add("begun");
        super.begin(connection);
      }
    };
    store = JdbcDedupStore.builder(database).transactionFrame(frame).build();
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> write(tx, delivery.message()));

    receive(shop, "a", "b", "c");
    assertThat(receive(shop, "a", "b", "c")).containsOnly(new Outcome.Duplicate());
    assertThat(transactions).hasSize(2); // the second transaction found only duplicates
    assertThat(receive(shop, "c", "b", "a")).containsOnly(new Outcome.Duplicate());
    assertThat(receive(shop, "b", "d", "a"))
        .extracting(it -> it.getClass().getSimpleName())
        .containsExactly("Duplicate", "Executed", "Duplicate");

    assertThat(transactions).hasSize(3);
    assertThat(calls).hasValue(4);
    assertThat(effects()).containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  void a_fresh_message_that_comes_twice_in_a_poll_takes_effect_once() throws Exception {
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> write(tx, delivery.message()));
    receive(shop, "known", "known too");
    receive(shop, "known", "known too");

    assertThat(receive(shop, "known", "a", "a", "known too"))
        .extracting(it -> it.getClass().getSimpleName())
        .containsExactly("Duplicate", "Executed", "Duplicate", "Duplicate");

    assertThat(effects()).containsExactlyInAnyOrder("known", "known too", "a");
  }

  @Test
  void a_listener_gets_one_call_for_a_batch_and_each_in_one_by_one_mode() throws Exception {
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> write(tx, delivery.message()));

    receive(shop, "a", "b");
    receive(shop, "a", "b");
    shop.receive(lane("p0", true, "c", "d"), PATIENCE);

    assertThat(heard)
        .extracting(call -> call.keys().stream().map(key -> key.id().toString()).toList())
        .containsExactly(List.of("a", "b"), List.of("c"), List.of("d"));
    assertThat(heard).allSatisfy(call -> assertThat(call.took()).isPositive());
  }

  @Test
  void health_knows_of_a_commit_of_a_completed_claim_and_of_a_failed_attempt() throws Exception {
    for (boolean probation : List.of(false, true)) {
      try (IdempotentReceiver<String> shop = receiver((tx, it) -> write(tx, it.message()))) {
        assertThat(shop.health().sinceSettled()).isEmpty();
        shop.receive(lane("p0", probation, "done" + probation), PATIENCE);
        assertThat(shop.health().sinceSettled()).isPresent();
      }
    }
    IdempotentReceiver<String> failing = receiver((tx, delivery) -> {
      throw new IllegalStateException("no stock");
    });
    receive(failing, "bad");
    assertThat(failing.health().sinceSettled()).isPresent();
  }

  @Test
  @DisplayName("invariant 8: a failing message takes nothing with it and leaves nothing behind")
  void one_failing_message_is_found_by_running_one_at_a_time() throws Exception {
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> {
      write(tx, delivery.message());
      if (delivery.message().equals("bad")) {
        throw new IllegalStateException("no stock");
      }
    });
    List<Incoming<String>> batch = new ArrayList<>(lane("p0", false, "a", "bad", "behind"));
    batch.addAll(lane("p1", false, "x", "y"));

    List<Outcome> outcomes = shop.receive(batch, PATIENCE);

    assertThat(effects()).containsExactlyInAnyOrder("a", "x", "y");
    assertThat(((Deferred) outcomes.get(1)).reason()).isEqualTo(Reason.RETRY);
    assertThat(((Deferred) outcomes.get(2)).reason()).isEqualTo(Reason.BLOCKED);
    assertThat(mark("bad").claim().attempt().number()).isEqualTo(1);
    assertThat(mark("bad").claim().attempt().inDoubt()).isFalse();
  }

  @Test
  void a_busy_message_stops_its_lane_and_no_other() throws Exception {
    claimElsewhere("busy", Duration.ofMinutes(5));
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> write(tx, delivery.message()));
    List<Incoming<String>> batch = new ArrayList<>(lane("p0", false, "a", "busy", "behind"));
    batch.addAll(lane("p1", false, "x"));

    List<Outcome> outcomes = shop.receive(batch, PATIENCE);

    assertThat(effects()).containsExactlyInAnyOrder("a", "x");
    assertThat(((Deferred) outcomes.get(1)).reason()).isEqualTo(Reason.BUSY);
    assertThat(((Deferred) outcomes.get(2)).reason()).isEqualTo(Reason.BLOCKED);
    assertThat(store.find(List.of(MessageKey.of("orders", "behind"))).get(0)).isEmpty();
  }

  @Test
  void in_a_lane_without_order_only_what_fails_or_is_busy_is_deferred() throws Exception {
    claimElsewhere("busy", Duration.ofMinutes(5));
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> {
      write(tx, delivery.message());
      if (delivery.message().equals("bad")) {
        throw new IllegalStateException("no stock");
      }
    });

    List<Outcome> outcomes = shop.receive(unordered("a", "busy", "b", "bad", "c", "d"), PATIENCE);

    assertThat(effects()).containsExactlyInAnyOrder("a", "b", "c", "d");
    assertThat(((Deferred) outcomes.get(1)).reason()).isEqualTo(Reason.BUSY);
    assertThat(((Deferred) outcomes.get(3)).reason()).isEqualTo(Reason.RETRY);
  }

  private static List<Incoming<String>> unordered(String... messages) {
    return lane("p0", false, messages).stream()
        .map(it -> new Incoming<>(
            it.handout(), it.lane(), false, it.coordinates(), false, Incoming.NO_TIMESTAMP))
        .toList();
  }

  @Test
  @DisplayName("invariant 10: in one-by-one mode an attempt is stored before the handler runs")
  void on_probation_attempts_are_written_first_and_messages_run_one_by_one() throws Exception {
    List<MarkState> seen = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> {
      seen.add(mark("second").state());
      write(tx, delivery.message());
    });

    List<Outcome> outcomes = shop.receive(lane("p0", true, "first", "second"), PATIENCE);

    assertThat(outcomes).allMatch(Outcome.Executed.class::isInstance);
    assertThat(seen.get(0)).isEqualTo(MarkState.PROCESSING);
    assertThat(effects()).containsExactly("first", "second");
    assertThat(mark("second").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void a_handler_that_calls_commit_fails_and_leaves_no_effect() throws Exception {
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> {
      write(tx, delivery.message());
      tx.commit();
    });

    Outcome outcome = receive(shop, "a").get(0);

    assertThat(((Deferred) outcome).reason()).isEqualTo(Reason.RETRY);
    assertThat(effects()).isEmpty();
  }

  @Test
  void a_handler_in_its_transaction_is_current() throws Exception {
    List<Boolean> current = new CopyOnWriteArrayList<>();
    receive(receiver((tx, delivery) -> current.add(delivery.isCurrent())), "a", "b");

    assertThat(current).containsExactly(true, true);
  }

  @Test
  void what_cannot_be_transactional_is_refused_before_anything_runs() {
    JdbcDedupStore leased =
        JdbcDedupStore.builder(database).createIfAbsent().leasedOnly().build();
    assertRefused(builder(), leased, "leasedOnly is true");
    assertRefused(
        builder().onUnknownOutcome(UnknownOutcomePolicy.deadLetter()),
        store,
        "onUnknownOutcome is not rerun()");
    assertRefused(builder().shadow(), store, "shadow is set but must not be in transactional mode");
  }

  private static void assertRefused(
      ReceiverBuilder<String> builder, JdbcDedupStore store, String reason) {
    assertThatThrownBy(() -> builder.transactional(store, (transaction, deliveries) -> {}))
        .isInstanceOfAny(IllegalStateException.class, IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void answered_duplicates_do_not_delay_their_lane() throws Exception {
    List<String> answered = new CopyOnWriteArrayList<>();
    CountDownLatch go = new CountDownLatch(1);
    try (IdempotentReceiver<String> receiver = builder()
        .workers(2)
        .onDuplicate((message, result) -> {
          go.await();
          answered.add(message);
        })
        .transactional(store, (transaction, deliveries) -> {})) {
      receive(receiver, "a", "b", "c");
      List<Outcome> outcomes = new CopyOnWriteArrayList<>();
      Submission again =
          receiver.submit(lane("p0", false, "a", "b", "c", "d"), (i, it) -> outcomes.add(it));
      go.countDown();

      assertThat(again.await(PATIENCE)).isTrue();
      assertThat(outcomes).hasSize(4).allMatch(Outcome::mayAcknowledge);
    }

    assertThat(answered).containsExactlyInAnyOrder("a", "b", "c");
  }
}
