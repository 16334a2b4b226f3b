package io.hapax.internal.run;

import io.hapax.TransactionalHandler;
import io.hapax.adapter.Outcome;
import io.hapax.internal.Engine;
import io.hapax.internal.handler.FailedCall;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.Backoff;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Verdict;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import io.hapax.store.TransactionalDedupStore;
import java.util.List;
import java.util.Optional;

/**
 * Transactional mode for a message that was claimed first: its DONE mark and its effect commit
 * together.
 */
public final class TransactionStep<M, T> implements Step<M> {

  private static final int COMMIT_TRIES = 3;

  private final Engine<M> engine;
  private final TransactionalDedupStore<T> store;
  private final TransactionalHandler<M, T> handler;

  public TransactionStep(
      Engine<M> engine, TransactionalDedupStore<T> store, TransactionalHandler<M, T> handler) {
    this.engine = engine;
    this.store = store;
    this.handler = handler;
  }

  @Override
  public boolean takesMany() {
    return false;
  }

  @Override
  public StepResult<M> run(List<ClaimedMessage<M>> messages, int calls) {
    return StepResult.over(run(messages.get(0).item(), messages.get(0).acquired()));
  }

  private Optional<Outcome.Deferred> run(InFlightMessage<M> item, Acquired acquired) {
    if (!item.beginHandling()) {
      return Optional.of(Deferrals.ABANDONED);
    }
    try {
      return answer(item, acquired, complete(item, acquired));
    } catch (HandlerFailure failure) {
      return engine.failures().failed(item, acquired, FailedCall.rolledBack(failure.reason()));
    } catch (BrokenTransactionException failure) {
      engine.events().brokenTransaction(failure);
      return engine.failures().failed(item, acquired, FailedCall.rolledBack(failure));
    } catch (StoreContentionException contention) {
      engine.events().contended("completeWith", contention);
      Outcome.Deferred busy = Deferrals.busy(Backoff.ofContention(engine.dice()));
      engine.settler().settle(item, new Verdict.Release(), busy);
      return Optional.of(busy);
    } catch (RuntimeException trouble) {
      engine.events().storeFailed("completeWith", trouble);
      Outcome.Deferred unavailable = Deferrals.storeUnavailable(trouble);
      engine.settler().settle(item, new Verdict.Release(), unavailable);
      return Optional.of(unavailable);
    }
  }

  private SettleAnswer complete(InFlightMessage<M> item, Acquired acquired) throws HandlerFailure {
    item.lease.inTransaction(true);
    try {
      return untilTheCommitIsKnown(item, acquired);
    } finally {
      item.lease.inTransaction(false);
      engine.outcomes().handled(item);
    }
  }

  /** An unknown commit is decided by running the very same verb again. */
  private SettleAnswer untilTheCommitIsKnown(InFlightMessage<M> item, Acquired acquired)
      throws HandlerFailure {
    for (int tries = 1; ; tries++) {
      try {
        return store.completeWith(
            acquired.claim(),
            transaction -> engine
                .handling()
                .run(
                    List.of(new ClaimedMessage<>(item, acquired)),
                    () -> handler.handle(transaction, List.of(engine.delivery(item, acquired)))));
      } catch (CommitUnknownException unknown) {
        engine.events().storeFailed("completeWith", unknown);
        if (tries == COMMIT_TRIES) {
          throw unknown;
        }
      }
    }
  }

  private Optional<Outcome.Deferred> answer(
      InFlightMessage<M> item, Acquired acquired, SettleAnswer answer) {
    return answer.match(
        settled -> {
          engine.events().storeAnswered();
          engine.events().settled(settled, acquired.claim());
          engine.lastSettled().now();
          engine.outcomes().finish(item, Engine.executed(acquired, Bytes.EMPTY));
          return Optional.empty();
        },
        fenced -> {
          engine.events().storeAnswered();
          if (item.lease.fence()) {
            engine.events().fenced(item.requiredKey(), acquired.claim().token());
          }
          engine.outcomes().finish(item, Deferrals.FENCED);
          return Optional.of(Deferrals.FENCED);
        },
        unavailable -> {
          throw new StoreException("completeWith: " + unavailable.reason());
        });
  }
}
