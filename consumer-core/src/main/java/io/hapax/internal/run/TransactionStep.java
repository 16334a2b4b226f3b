package io.hapax.internal.run;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.handler.FailedCall;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.Results;
import io.hapax.internal.settle.Settler;
import io.hapax.mark.Bytes;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Verdict;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.StoreContentionException;
import java.util.List;
import java.util.Optional;

/**
 * Runs a message of one-by-one mode: it is claimed first, and its DONE mark and its effect commit
 * together.
 */
public record TransactionStep<M, T>(
    TransactionCalls<M, T> transactions,
    Failures<M> failures,
    Settler<M> settler,
    Outcomes<M> outcomes)
    implements Step<M> {

  @Override
  public boolean takesMany() {
    return false;
  }

  @Override
  public Optional<Deferred> run(List<ClaimedMessage<M>> messages) {
    return run(messages.get(0));
  }

  private Optional<Deferred> run(ClaimedMessage<M> message) {
    if (!message.message().beginHandling()) {
      return Optional.of(Deferrals.ABANDONED);
    }
    try {
      return take(message, complete(message));
    } catch (HandlerFailure failure) {
      return failed(message, failure.reason());
    } catch (BrokenTransactionException failure) {
      return failed(message, failure);
    } catch (StoreContentionException contention) {
      return release(message, Deferrals.busy(Backoff.ofContention(transactions.random())));
    } catch (RuntimeException failure) {
      return release(message, Deferrals.storeUnavailable(failure));
    }
  }

  private Optional<Deferred> failed(ClaimedMessage<M> message, Throwable reason) {
    return failures.failed(message, FailedCall.rolledBack(reason));
  }

  private Optional<Deferred> release(ClaimedMessage<M> message, Deferred deferral) {
    settler.settle(message.message(), new Verdict.Release(), deferral);
    return Optional.of(deferral);
  }

  private SettleAnswer complete(ClaimedMessage<M> claimed) throws HandlerFailure {
    InFlightMessage<M> message = claimed.message();
    message.lease.inTransaction(true);
    try {
      return transactions.completeWith(claimed);
    } finally {
      message.lease.inTransaction(false);
      outcomes.handled(message);
    }
  }

  private Optional<Deferred> take(ClaimedMessage<M> message, SettleAnswer answer) {
    Outcome outcome = settler.finish(
        message.message(),
        message.acquired().claim(),
        answer,
        Results.executed(message.acquired(), Bytes.EMPTY));
    return outcome instanceof Deferred deferred ? Optional.of(deferred) : Optional.empty();
  }
}
