package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
interface TransactionalBench<T> extends Bench {

  @Override
  TransactionalStoreFixture<T> fixture();

  @Override
  default TransactionalDedupStore<T> store() {
    return fixture().store();
  }

  @Override
  default TransactionalDedupStore<T> other() {
    return fixture().other();
  }

  default void writeEffect(T transaction, String id) throws Exception {
    fixture().writeEffect(transaction, key(id).toString());
  }

  default int effects(String id) {
    return fixture().effects(key(id).toString());
  }

  /** Writes an effect for each acquired message. */
  default BatchWork<T, Exception> effectOfEach() {
    return (transaction, answers) -> {
      for (ClaimAnswer answer : answers) {
        if (answer instanceof Acquired acquired) {
          fixture().writeEffect(transaction, acquired.claim().key().toString());
        }
      }
    };
  }

  default ClaimAnswer runOnce(ClaimRequest request) throws Exception {
    return Bench.only(store().runOnce(List.of(request), effectOfEach()));
  }

  default SettleAnswer completeWith(Claim claim, String id) throws Exception {
    return store().<Exception>completeWith(claim, transaction -> writeEffect(transaction, id));
  }

  /** Checks that work which fails behind its effects throws this failure out of the store. */
  default void assertFails(List<ClaimRequest> requests, Throwable failure) {
    assertThatThrownBy(() -> store().<Exception>runOnce(requests, (transaction, answers) -> {
          effectOfEach().run(transaction, answers);
          if (failure instanceof Error error) {
            throw error;
          }
          throw (Exception) failure;
        }))
        .isSameAs(failure);
  }

  /** Writes the effects, signals that the transaction is open, and waits in it. */
  default BatchWork<T, Exception> effectsThatTake(CountDownLatch started, CountDownLatch released) {
    return (transaction, answers) -> {
      effectOfEach().run(transaction, answers);
      started.countDown();
      ConcurrentRun.await(released);
    };
  }
}
