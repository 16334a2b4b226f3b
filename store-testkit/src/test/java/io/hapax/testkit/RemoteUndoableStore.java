package io.hapax.testkit;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreException;
import io.hapax.store.TransactionalDedupStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Transactions over a connection: the first command asks which marks would change, the work runs
 * here, and the second command applies everything at once if the marks are unchanged.
 */
class RemoteUndoableStore extends RemoteMachineStore<UndoableStore>
    implements TransactionalDedupStore<HeapTransaction> {

  RemoteUndoableStore(HeapConnection line, UndoableStore target) {
    super(line, target);
  }

  private static final class OnlyLooking extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Override
  public List<Optional<ClaimAnswer.Done>> findDone(List<ClaimRequest> requests) {
    return line().ask(() -> target().findDone(requests));
  }

  @Override
  public <X extends Exception> List<ClaimAnswer> runOnce(
      List<ClaimRequest> requests, BatchWork<HeapTransaction, X> work) throws X {
    List<ClaimAnswer> answers = line().ask(() -> look(requests));
    if (answers.stream().noneMatch(ClaimAnswer.Acquired.class::isInstance)) {
      return answers;
    }
    HeapTransaction local = new HeapTransaction();
    work.run(local, answers);
    List<String> effects = local.ended();
    return commit(
        () -> target().runOnce(requests, (real, all) -> effects.forEach(real::write)), effects);
  }

  private List<ClaimAnswer> look(List<ClaimRequest> requests) {
    List<ClaimAnswer> seen = new ArrayList<>();
    try {
      return target().runOnce(requests, (real, all) -> {
        seen.addAll(all);
        throw new OnlyLooking();
      });
    } catch (OnlyLooking e) {
      return seen;
    }
  }

  @Override
  public <X extends Exception> SettleAnswer completeWith(Claim claim, Work<HeapTransaction, X> work)
      throws X {
    if (line().ask(() -> isToBeCompleted(claim))) {
      HeapTransaction local = new HeapTransaction();
      work.run(local);
      List<String> effects = local.ended();
      return commit(
          () -> target().completeWith(claim, real -> effects.forEach(real::write)), effects);
    }
    return line().ask(() -> target().completeWith(claim, real -> {}));
  }

  @Override
  public void keepResult(HeapTransaction transaction, Claim claim, Bytes result) {
    throw new UnsupportedOperationException("this store keeps no results");
  }

  private boolean isToBeCompleted(Claim claim) {
    try {
      target().completeWith(claim, real -> {
        throw new OnlyLooking();
      });
      return false;
    } catch (OnlyLooking e) {
      return true;
    }
  }

  /** Applies everything in one command; if its answer is lost, the outcome is unknown. */
  protected <A> A commit(Supplier<A> everything, List<String> effects) {
    try {
      return line().ask(everything);
    } catch (StoreException e) {
      throw new CommitUnknownException("the answer to the commit was lost", e);
    }
  }
}
