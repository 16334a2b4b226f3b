package io.hapax.testkit;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Transition;
import io.hapax.mark.Verdict;
import io.hapax.store.StoreContentionException;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The machine in a map that one transaction at a time may change; a commit puts its changes into
 * the map. It is small enough to be evidently correct, and proves that the contract can be
 * fulfilled.
 */
class UndoableStore extends MachineStore implements TransactionalDedupStore<HeapTransaction> {

  private final Semaphore oneAtATime = new Semaphore(1);
  private final List<String> effects = new ArrayList<>();

  UndoableStore(InstantSource clock, Duration retention) {
    super(clock, retention);
  }

  synchronized int effects(String id) {
    return (int) effects.stream().filter(id::equals).count();
  }

  @Override
  protected void lock() {
    if (!tryLock()) {
      throw new StoreContentionException("lock timeout", new IllegalStateException("locked"));
    }
  }

  @Override
  protected void unlock() {
    oneAtATime.release();
  }

  private boolean tryLock() {
    try {
      return oneAtATime.tryAcquire(200, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public List<Optional<ClaimAnswer.Done>> findDone(List<ClaimRequest> requests) {
    return requests.stream().map(it -> findDone(mark(it.key()), it)).toList();
  }

  protected Optional<ClaimAnswer.Done> findDone(Mark mark, ClaimRequest request) {
    return MarkMachine.findDone(mark, request, retention(), now());
  }

  @Override
  public <X extends Exception> List<ClaimAnswer> runOnce(
      List<ClaimRequest> requests, BatchWork<HeapTransaction, X> work) throws X {
    if (!tryLock()) {
      return requests.stream()
          .<ClaimAnswer>map(request -> new ClaimAnswer.Busy(Duration.ofSeconds(1)))
          .toList();
    }
    try {
      Map<MessageKey, Mark> changed = new HashMap<>();
      List<ClaimAnswer> answers = new ArrayList<>();
      for (ClaimRequest request : requests) {
        Transition<ClaimAnswer> next = complete(mark(request.key()), request);
        changed.put(request.key(), next.next());
        answers.add(next.answer());
      }
      HeapTransaction transaction = begin(changed);
      if (answers.stream().anyMatch(ClaimAnswer.Acquired.class::isInstance)) {
        work.run(transaction, answers);
      }
      commit(changed, transaction.ended());
      return answers;
    } finally {
      unlock();
    }
  }

  @Override
  public <X extends Exception> SettleAnswer completeWith(Claim claim, Work<HeapTransaction, X> work)
      throws X {
    lock();
    try {
      Mark mark = mark(claim.key());
      Transition<SettleAnswer> next =
          MarkMachine.settle(mark, new Settlement(claim, Verdict.Done.WITHOUT_RESULT), now());
      Map<MessageKey, Mark> changed = Map.of(claim.key(), next.next());
      HeapTransaction transaction = begin(changed);
      if (mayRun(mark, next.answer())) {
        work.run(transaction);
      }
      commit(changed, transaction.ended());
      return next.answer();
    } finally {
      unlock();
    }
  }

  @Override
  public void keepResult(HeapTransaction transaction, Claim claim, Bytes result) {
    throw new UnsupportedOperationException("this store keeps no results");
  }

  protected Transition<ClaimAnswer> complete(Mark mark, ClaimRequest request) {
    return MarkMachine.complete(mark, request, now());
  }

  /** Begins a transaction that will change these marks. */
  protected HeapTransaction begin(Map<MessageKey, Mark> changed) {
    return new HeapTransaction();
  }

  protected boolean mayRun(Mark mark, SettleAnswer answer) {
    return answer instanceof SettleAnswer.Settled && mark.state() != MarkState.DONE;
  }

  protected synchronized void commit(Map<MessageKey, Mark> changed, List<String> written) {
    changed.values().forEach(this::put);
    effects.addAll(written);
  }

  private Mark mark(MessageKey key) {
    return Optional.ofNullable(marks().get(key)).orElseGet(() -> Mark.absent(key));
  }
}
