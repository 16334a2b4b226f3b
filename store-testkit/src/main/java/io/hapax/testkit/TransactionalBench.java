package io.hapax.testkit;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import io.hapax.store.TransactionalDedupStore;
import io.hapax.store.TransactionalDedupStore.BatchWork;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A bench whose store also keeps effects. */
final class TransactionalBench<T> {

  private final TransactionalStoreFixture<T> fixture;
  private final Bench bench;

  TransactionalBench(TransactionalStoreFixture<T> fixture, Bench bench) {
    this.fixture = fixture;
    this.bench = bench;
  }

  TransactionalDedupStore<T> store() {
    return fixture.store();
  }

  TransactionalDedupStore<T> other() {
    return fixture.other();
  }

  void writeEffect(T transaction, String id) throws Exception {
    fixture.writeEffect(transaction, bench.key(id).toString());
  }

  void meetError(T transaction) throws Exception {
    fixture.meetError(transaction);
  }

  void rollBackByHand(T transaction) throws Exception {
    fixture.rollBackByHand(transaction);
  }

  int effects(String id) {
    return fixture.effects(bench.key(id).toString());
  }

  /** Writes an effect for each acquired message. */
  BatchWork<T, Exception> effectOfEach() {
    return (transaction, answers) -> {
      for (ClaimAnswer answer : answers) {
        if (answer instanceof Acquired acquired) {
          fixture.writeEffect(transaction, acquired.claim().key().toString());
        }
      }
    };
  }

  ClaimAnswer runOnce(ClaimRequest request) throws Exception {
    return Bench.only(store().runOnce(List.of(request), effectOfEach()));
  }

  SettleAnswer completeWith(Claim claim, String id) throws Exception {
    return store().<Exception>completeWith(claim, transaction -> writeEffect(transaction, id));
  }

  /** Writes the effects, signals that the transaction is open, and waits in it. */
  BatchWork<T, Exception> effectsThatTake(CountDownLatch started, CountDownLatch released) {
    return (transaction, answers) -> {
      effectOfEach().run(transaction, answers);
      started.countDown();
      ConcurrentRun.await(released);
    };
  }
}
