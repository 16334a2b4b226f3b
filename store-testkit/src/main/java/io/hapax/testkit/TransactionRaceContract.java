package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import io.hapax.store.TransactionalDedupStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Concurrent transactions: each effect is committed once. */
interface TransactionRaceContract<T> extends TransactionalBench<T> {

  int OWNERS = 8;
  int ROUNDS = 200;

  @Test
  default void concurrent_runs_commit_each_effect_once() throws Exception {
    List<String> ids = Bench.ids(40);

    List<Integer> ran =
        ConcurrentRun.<Integer>atOnce(OWNERS, owner -> () -> runUntilAllAreDone(owner, ids));

    assertThat(ran.stream().mapToInt(Integer::intValue).sum()).isEqualTo(ids.size());
    assertThat(ids).allSatisfy(id -> {
      assertThat(effects(id)).as(id).isEqualTo(1);
      assertThat(state(id)).as(id).isEqualTo(MarkState.DONE);
    });
  }

  /** Returns the number of messages that this owner's committed transactions acquired. */
  private int runUntilAllAreDone(int owner, List<String> ids) throws Exception {
    TransactionalDedupStore<T> store = owner % 2 == 0 ? store() : other();
    List<ClaimRequest> open = new ArrayList<>(requests(ids));
    Collections.shuffle(open, new Random(owner));
    int ran = 0;
    for (int round = 0; round < ROUNDS && !open.isEmpty(); round++) {
      List<ClaimRequest> batch = List.copyOf(open.subList(0, Math.min(10, open.size())));
      open.removeAll(batch);
      List<ClaimAnswer> answers = runOrMeetOthers(store, batch);
      for (int i = 0; i < batch.size(); i++) {
        if (i >= answers.size() || answers.get(i) instanceof ClaimAnswer.Busy) {
          open.add(batch.get(i));
        } else if (answers.get(i) instanceof Acquired) {
          ran++;
        }
      }
    }
    assertThat(open)
        .as("messages that owner %s found neither free nor done", owner)
        .isEmpty();
    return ran;
  }

  /** Returns the answers; none if the store rolled back because of another transaction. */
  private List<ClaimAnswer> runOrMeetOthers(
      TransactionalDedupStore<T> store, List<ClaimRequest> batch) throws Exception {
    try {
      return store.runOnce(batch, effectOfEach());
    } catch (StoreContentionException e) {
      return List.of();
    }
  }

  /**
   * After a broken connection, a caller repeats a call while the first one may still be running.
   */
  @Test
  default void a_batch_sent_twice_concurrently_takes_effect_once() throws Exception {
    for (int round = 0; round < 20; round++) {
      String prefix = "round " + round + ", ";
      List<String> ids = IntStream.range(0, 5).mapToObj(i -> prefix + i).toList();
      List<ClaimRequest> batch = requests(ids);
      Claim held = held(prefix + "held");

      ConcurrentRun.atOnce(List.<Callable<Object>>of(
          () -> runOrMeetOthers(store(), batch), () -> runOrMeetOthers(other(), batch)));
      ConcurrentRun.atOnce(List.<Callable<Object>>of(
          () -> completeOrMeetOthers(store(), held, prefix + "held"),
          () -> completeOrMeetOthers(other(), held, prefix + "held")));
      runOrMeetOthers(store(), batch);
      completeOrMeetOthers(store(), held, prefix + "held");

      assertThat(Stream.concat(ids.stream(), Stream.of(prefix + "held"))).allSatisfy(id -> {
        assertThat(effects(id)).as(id).isEqualTo(1);
        assertThat(state(id)).as(id).isEqualTo(MarkState.DONE);
      });
    }
  }

  private boolean completeOrMeetOthers(TransactionalDedupStore<T> store, Claim claim, String id)
      throws Exception {
    try {
      store.<Exception>completeWith(claim, transaction -> writeEffect(transaction, id));
      return true;
    } catch (StoreContentionException e) {
      return false;
    }
  }

  @Test
  default void a_transaction_that_waits_too_long_finds_its_batch_busy() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    List<ClaimRequest> both = List.of(request("locked"), request("free"));

    List<List<ClaimAnswer>> answers = ConcurrentRun.atOnce(List.of(
        () -> store().runOnce(List.of(request("locked")), effectsThatTake(started, released)),
        () -> {
          try {
            ConcurrentRun.await(started);
            return other().runOnce(both, effectOfEach());
          } finally {
            released.countDown();
          }
        }));

    assertThat(answers.get(0)).hasOnlyElementsOfType(Acquired.class);
    assertThat(answers.get(1)).hasSize(2).hasOnlyElementsOfType(ClaimAnswer.Busy.class);
    assertThat(state("free")).isEqualTo(MarkState.ABSENT);
    assertThat(effects("free")).isZero();
    assertThat(effects("locked")).isEqualTo(1);
  }

  @Test
  default void a_claim_under_completion_is_not_taken_over_after_its_lease() throws Exception {
    Claim claim = held("m");
    expireLease();
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);

    List<Object> answers = ConcurrentRun.atOnce(List.<Callable<Object>>of(
        () -> store().<Exception>completeWith(claim, transaction -> {
          writeEffect(transaction, "m");
          started.countDown();
          ConcurrentRun.await(released);
        }),
        () -> {
          try {
            ConcurrentRun.await(started);
            return Bench.only(other().claim(List.of(solo("m")), LEASE));
          } catch (StoreException e) {
            return e;
          } finally {
            released.countDown();
          }
        }));

    assertThat(answers.get(0)).isEqualTo(new SettleAnswer.Settled(false));
    assertThat(answers.get(1)).isNotInstanceOf(Acquired.class);
    assertThat(effects("m")).isEqualTo(1);
    assertThat(state("m")).isEqualTo(MarkState.DONE);
  }
}
