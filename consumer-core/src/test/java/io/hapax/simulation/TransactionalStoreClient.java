package io.hapax.simulation;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Transition;
import io.hapax.mark.Verdict;
import io.hapax.store.StoreContentionException;
import io.hapax.store.TransactionalDedupStore;
import java.util.List;
import java.util.Optional;

/**
 * One process's way to a database: marks and effects of a transaction are committed together, and
 * its marks are locked until it ends, whether its process lives or not.
 */
final class TransactionalStoreClient extends StoreClient
    implements TransactionalDedupStore<Transaction> {

  TransactionalStoreClient(ConsumerProcess process, SimulatedStore store, Network network) {
    super(process, store, network);
  }

  /** Reads what is committed, without waiting for a lock. */
  @Override
  public List<Optional<ClaimAnswer.Done>> findDone(List<ClaimRequest> requests) {
    return network.call(process, "findDone", () -> false, () -> {
      List<Optional<ClaimAnswer.Done>> found =
          requests.stream().map(store::findDone).toList();
      process.world().witness().tally.lookups +=
          (int) found.stream().filter(Optional::isPresent).count();
      note("findDone", found);
      return found;
    });
  }

  @Override
  public <X extends Exception> List<ClaimAnswer> runOnce(
      List<ClaimRequest> requests, BatchWork<Transaction, X> work) throws X {
    if (requests.isEmpty()) {
      return List.of();
    }
    List<MessageKey> keys = requests.stream().map(ClaimRequest::key).toList();
    try {
      begin(keys);
    } catch (StoreContentionException locked) {
      return busy(requests);
    }
    try {
      List<Transition<ClaimAnswer>> changes =
          requests.stream().map(store::complete).toList();
      List<ClaimAnswer> answers = changes.stream().map(Transition::answer).toList();
      note("runOnce", answers);
      Transaction transaction = new Transaction();
      List<Mark> marks = changes.stream().map(Transition::next).toList();
      store.open(marks);
      if (answers.stream().anyMatch(ClaimAnswer.Acquired.class::isInstance)) {
        rollBackIfItFails(() -> work.run(transaction, answers), marks, transaction);
      }
      commit(marks, transaction);
      return answers;
    } finally {
      store.unlock(keys);
    }
  }

  @Override
  public <X extends Exception> SettleAnswer completeWith(Claim claim, Work<Transaction, X> work)
      throws X {
    List<MessageKey> keys = List.of(claim.key());
    begin(keys);
    try {
      boolean done =
          store.mark(claim.key()).filter(it -> it.state() == MarkState.DONE).isPresent();
      Transition<SettleAnswer> change =
          store.settled(new Settlement(claim, Verdict.Done.WITHOUT_RESULT));
      note("completeWith", change.answer());
      Transaction transaction = new Transaction();
      List<Mark> marks = List.of(change.next());
      if (change.answer() instanceof SettleAnswer.Settled && !done) {
        rollBackIfItFails(() -> work.run(transaction), marks, transaction);
      }
      commit(marks, transaction);
      return change.answer();
    } finally {
      store.unlock(keys);
    }
  }

  @Override
  public void keepResult(Transaction transaction, Claim claim, Bytes result) {
    throw new UnsupportedOperationException("the simulated handlers have no results");
  }

  private void begin(List<MessageKey> keys) {
    network.begin(process);
    network.awaitLock(process, () -> store.anyLocked(keys));
    store.lock(keys);
  }

  private interface Body<X extends Exception> {
    void run() throws X;
  }

  private <X extends Exception> void rollBackIfItFails(
      Body<X> body, List<Mark> marks, Transaction transaction) throws X {
    boolean failed = true;
    try {
      body.run();
      failed = false;
    } finally {
      World world = process.world();
      if (failed && world.makes(Mistake.ROLLBACK_KEEPS_MARKS)) {
        marks.forEach(store::put);
      }
      if (failed && world.makes(Mistake.ROLLBACK_KEEPS_EFFECTS)) {
        transaction.commit(world.witness());
      }
    }
  }

  private void commit(List<Mark> marks, Transaction transaction) {
    network.commit(process, () -> {
      marks.forEach(store::put);
      transaction.commit(process.world().witness());
    });
  }
}
