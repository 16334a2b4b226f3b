package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverListener;
import io.hapax.RetrySettings;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What may happen around a running transaction: clocks, closing, revokes, interrupts, Errors. */
class TransactionalFaultsTest extends TransactionalFixture {

  private static final RetrySettings SOON =
      new RetrySettings(5, Duration.ofMillis(1), Duration.ofMillis(1));

  @Test
  @DisplayName(
      "invariant 14: a store clock that jumps ahead stops transactional mode for a moment only")
  void batches_are_claimed_again_after_the_stores_clock_jumped_ahead() throws Exception {
    IdempotentReceiver<String> shop = receiver(builder(), (transaction, delivery) -> {});
    shop.receive(lane("p0", true, "proves the lane, and learns the store's time"), PATIENCE);
    // the database failed over, or this process was suspended with its virtual machine
    store.setClockOffset(Duration.ofMinutes(1));

    List<Outcome> outcomes = List.of();
    for (int i = 0; i < 20 && outcomes.stream().noneMatch(Outcome::mayAcknowledge); i++) {
      outcomes = shop.receive(lane("p0", false, "a"), PATIENCE);
    }

    assertThat(outcomes).allMatch(Outcome::mayAcknowledge);
  }

  @Test
  @DisplayName("close waits for running handlers up to the drain time-out, in a batch too")
  void close_lets_the_running_transaction_finish() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch finished = new CountDownLatch(1);
    List<String> ends = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> shop = receiver(builder(), (transaction, delivery) -> {
      running.countDown();
      try {
        go.await();
        ends.add("finished");
      } catch (InterruptedException e) {
        ends.add("interrupted");
        throw e;
      } finally {
        finished.countDown();
      }
    });
    List<Outcome> outcomes = new CopyOnWriteArrayList<>();
    shop.submit(lane("p0", false, "a"), (index, outcome) -> outcomes.add(outcome));
    running.await();
    Thread closing = new Thread(shop::close, "closing");
    closing.start();
    closing.join(1_000); // far less than the drain time-out
    boolean waited = closing.isAlive();
    go.countDown();
    finished.await();
    closing.join(PATIENCE.toMillis());

    assertThat(ends).containsExactly("finished");
    assertThat(waited).as("close waited for the running transaction").isTrue();
    assertThat(outcomes).singleElement().isInstanceOf(Outcome.Executed.class);
  }

  @Test
  @DisplayName(
      "a revoke waits for what runs: handlers that run are left to finish, their outcomes follow")
  void abandoning_a_batch_whose_transaction_runs_does_not_defer_its_messages() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    IdempotentReceiver<String> shop = receiver(builder(), (transaction, delivery) -> {
      running.countDown();
      go.await();
    });
    List<Outcome> outcomes = new CopyOnWriteArrayList<>();
    Submission submission =
        shop.submit(lane("p0", false, "a"), (index, outcome) -> outcomes.add(outcome));
    running.await();

    submission.abandon();
    boolean finishedWhileRunning = submission.await(Duration.ZERO);
    go.countDown();
    submission.await(PATIENCE);

    assertThat(finishedWhileRunning)
        .as("all outcomes stand while the handler runs")
        .isFalse();
    assertThat(outcomes).singleElement().isInstanceOf(Outcome.Executed.class);
  }

  @Test
  @DisplayName("messages of one lane start in order, in one transaction too")
  void messages_behind_one_that_waits_for_another_lane_do_not_overtake_it() throws Exception {
    IdempotentReceiver<String> shop = receiver(builder(), (transaction, delivery) -> {
      if (delivery.message().startsWith("a=")) {
        throw new IllegalStateException("no stock");
      }
    });
    List<Incoming<String>> batch = new ArrayList<>(lane("p0", false, "a=1"));
    batch.addAll(lane("p1", false, "a=1", "behind"));

    List<Outcome> outcomes = shop.receive(batch, PATIENCE);

    assertThat(outcomes.get(1).mayAcknowledge()).isFalse();
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Deferred.class);
  }

  @Test
  @DisplayName("invariant 9: an effect that may repeat is counted, whichever mode repeats it")
  void a_leased_claim_in_doubt_that_a_transaction_takes_over_is_counted() throws Exception {
    store.claim(
        List.of(new ClaimRequest(
            MessageKey.of("orders", "a"),
            new Nonce(1, 2),
            Fingerprint.NONE,
            new Origin("the leased consumer of yesterday", ""),
            new ClaimTerms(true, true, ClaimTerms.ANY_TIME))),
        Duration.ofMinutes(5));
    store.setClockOffset(Duration.ofMinutes(10));
    List<ClaimAnswer.Acquired> recoveries = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> shop = receiver(
        builder().listener(new ReceiverListener() {
          @Override
          public void onRecovery(MessageKey key, ClaimAnswer.Acquired acquired) {
            recoveries.add(acquired);
          }
        }),
        (transaction, delivery) -> {});

    List<Outcome> outcomes = shop.receive(lane("p0", false, "a"), PATIENCE);

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(recoveries).hasSize(1);
  }

  @Test
  @DisplayName("invariant 14: a handler that reports an interrupt does not harm the store")
  void an_interrupted_handler_is_a_failed_attempt_and_others_continue() throws Exception {
    IdempotentReceiver<String> shop = receiver(builder(), (transaction, delivery) -> {
      if (delivery.message().equals("bad")) {
        throw new InterruptedException("a client library's own future was cancelled");
      }
    });
    List<Incoming<String>> batch = new ArrayList<>(lane("p0", false, "bad"));
    batch.addAll(lane("p1", false, "x", "y"));

    List<Outcome> outcomes = shop.receive(batch, PATIENCE);

    assertThat(outcomes.subList(1, 3))
        .as("with the receiver's trouble %s", shop.problems())
        .allMatch(Outcome.Executed.class::isInstance);
    assertThat(((Outcome.Deferred) outcomes.get(0)).reason()).isEqualTo(Outcome.Reason.RETRY);
  }

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void writes_of_an_interrupted_handler_are_rolled_back_and_written_once(
      boolean probation, boolean returns) throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    List<String> ends = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> shop = receiver(
        builder().retry(SOON).handlerTimeout(Duration.ofSeconds(2)), (transaction, delivery) -> {
          write(transaction, delivery.message());
          if (ends.isEmpty()) {
            try {
              never.await();
            } catch (InterruptedException e) {
              ends.add("interrupted");
              if (returns) {
                Thread.currentThread().interrupt();
                return;
              }
              throw e;
            }
          }
          ends.add("done");
        });
    List<Outcome> first = shop.receive(lane("p0", probation, "a"), PATIENCE);

    assertThat(first).singleElement().isInstanceOf(Outcome.Deferred.class);
    assertThat(effects()).isEmpty();
    await()
        .atMost(PATIENCE)
        .until(() -> shop.receive(lane("p0", probation, "a"), PATIENCE).stream()
            .allMatch(Outcome::mayAcknowledge));
    assertThat(ends).containsExactly("interrupted", "done");
    assertThat(effects()).containsExactly("a");
  }

  @Test
  void a_message_whose_transaction_was_interrupted_runs_again_with_a_lease() throws Exception {
    List<Boolean> current = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> shop = open(builder()
        .handlerTimeout(Duration.ofSeconds(1))
        .transactional(store, (transaction, deliveries) -> {
          if (deliveries.size() > 1) {
            new CountDownLatch(1).await();
          }
          current.add(deliveries.get(0).isCurrent());
        }));

    assertThat(receive(shop, "a", "b")).hasOnlyElementsOfType(Outcome.Executed.class);

    assertThat(current).containsExactly(true, true);
  }

  @Test
  @DisplayName("invariant 14: a transaction that has failed too late is not begun in one again")
  void what_has_failed_together_with_no_time_left_runs_one_by_one_when_it_is_redelivered()
      throws Exception {
    List<Integer> calls = new CopyOnWriteArrayList<>();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch late = new CountDownLatch(1);
    IdempotentReceiver<String> shop =
        open(builder().transactional(store, (transaction, deliveries) -> {
          calls.add(deliveries.size());
          if (deliveries.size() > 1) {
            begun.countDown();
            late.await();
            throw new IllegalStateException("the patience of its poll has ended");
          }
        }));
    Submission first = shop.submit(lane("p0", false, "a", "b"), (index, outcome) -> {});
    begun.await();
    first.abandon();
    late.countDown();
    assertThat(first.await(PATIENCE)).isTrue();

    assertThat(receive(shop, "a", "b")).allMatch(Outcome::mayAcknowledge);

    assertThat(calls).containsExactly(2, 1, 1);
  }

  @Test
  void a_handler_that_returns_because_its_receiver_is_closed_has_not_taken_effect()
      throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    IdempotentReceiver<String> closing =
        receiver(builder().retry(SOON), (transaction, delivery) -> {
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    Submission submission = closing.submit(lane("p0", false, "a"), (index, outcome) -> {});
    begun.await();
    closing.close(Duration.ZERO);
    submission.await(PATIENCE);

    IdempotentReceiver<String> next =
        receiver(builder(), (transaction, delivery) -> write(transaction, delivery.message()));
    await()
        .atMost(PATIENCE)
        .until(() -> next.receive(lane("p0", false, "a"), PATIENCE).stream()
            .allMatch(Outcome::mayAcknowledge));
    assertThat(effects()).containsExactly("a");
  }
}
