package io.hapax.internal.run;

import io.hapax.TransactionalHandler;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.handler.HandlerInvoker;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.FailStop;
import io.hapax.internal.runtime.Ticker;
import io.hapax.internal.store.CheckedStore;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * Runs the handler inside transactions of the store, and reports their failures.
 *
 * @param lease the remaining lease that a delivery shows; no lease expires inside a transaction
 */
public record TransactionCalls<M, T>(
    TransactionalDedupStore<T> store,
    TransactionalHandler<M, T> handler,
    HandlerInvoker<M> invoker,
    Events events,
    Duration lease,
    Ticker ticker) {

  private static final int COMMIT_TRIES = 3;

  /**
   * Reads which messages are known to be done. A failure is reported and leaves all to the
   * transaction.
   */
  List<Optional<ClaimAnswer.Done>> findDone(List<ClaimRequest> requests) {
    try {
      return CheckedStore.complete("findDone", requests.size(), store.findDone(requests));
    } catch (Throwable e) {
      var unused = reported("findDone", e);
      return Collections.nCopies(requests.size(), Optional.empty());
    }
  }

  /** Reports an answer of the store that no transaction will report. */
  void answered() {
    events.storeAnswered();
  }

  /**
   * Runs the planned messages and writes their DONE marks in one transaction. Returns the plan that
   * the answers led to. If messages are out of turn, the transaction was rolled back.
   */
  BatchPlan<M> runOnce(
      List<ClaimRequest> requests, Function<List<ClaimAnswer>, BatchPlan<M>> planner)
      throws HandlerFailure {
    requireRunning();
    AtomicReference<BatchPlan<M>> planned = new AtomicReference<>();
    try {
      List<ClaimAnswer> answers = CheckedStore.complete(
          "runOnce", requests.size(), store.runOnce(requests, (transaction, given) -> {
            BatchPlan<M> plan =
                planner.apply(CheckedStore.complete("runOnce", requests.size(), given));
            planned.set(plan);
            run(transaction, plan);
          }));
      events.storeAnswered();
      BatchPlan<M> plan = planned.get();
      return plan != null && plan.isOf(answers) // not if the store rolled back after the work
          ? plan
          : planner.apply(answers);
    } catch (HandlerFailure failure) {
      throw failure;
    } catch (OutOfTurnException refusal) {
      events.storeAnswered();
      return Objects.requireNonNull(planned.get());
    } catch (Throwable e) {
      throw reported("runOnce", e);
    }
  }

  private void run(T transaction, BatchPlan<M> plan) throws HandlerFailure, OutOfTurnException {
    if (plan.outOfTurn()) {
      throw new OutOfTurnException();
    }
    List<ClaimedMessage<M>> running = plan.running();
    long leaseEnd = ticker.nanos() + lease.toNanos();
    running.forEach(it -> it.message().lease.until(leaseEnd));
    handle(transaction, running);
  }

  private void handle(T transaction, List<ClaimedMessage<M>> running) throws HandlerFailure {
    UserCodeCalls.Code<Boolean> code = () -> {
      handler.handle(transaction, ClaimedMessage.deliveries(running));
      return true;
    };
    var unused = invoker.run(running, code, false);
  }

  /**
   * Runs the handler for a message that was claimed before, and writes its DONE mark in the same
   * transaction. If the outcome of a commit is unknown, repeats the call to find it.
   */
  SettleAnswer completeWith(ClaimedMessage<M> message) throws HandlerFailure {
    requireRunning();
    List<ClaimedMessage<M>> running = List.of(message);
    for (int tries = 1; ; tries++) {
      try {
        SettleAnswer answer = store.completeWith(
            message.acquired().claim(), transaction -> handle(transaction, running));
        if (answer instanceof SettleAnswer.Unavailable unavailable) {
          throw new StoreException("completeWith: " + unavailable.reason());
        }
        events.storeAnswered();
        return answer;
      } catch (HandlerFailure failure) {
        throw failure;
      } catch (Throwable e) {
        RuntimeException failure = reported("completeWith", e);
        if (!(failure instanceof CommitUnknownException) || tries == COMMIT_TRIES) {
          throw failure;
        }
      }
    }
  }

  DoubleSupplier random() {
    return invoker.env().random();
  }

  /** Begins no transaction after the end of the receiver. */
  private void requireRunning() {
    invoker.env().failStop().requireRunning();
  }

  /** Reports a failure; returns it as an exception, since a store may throw any throwable. */
  private RuntimeException reported(String verb, Throwable thrown) {
    FailStop.throwIfOfTheProcess(thrown);
    if (thrown instanceof ReceiverClosedException failed) {
      return failed;
    }
    RuntimeException error = thrown instanceof RuntimeException it
        ? it
        : new StoreException("the store failed to " + verb, thrown);
    if (error instanceof BrokenTransactionException broken) {
      events.brokenTransaction(broken);
    } else if (error instanceof StoreContentionException) {
      events.contended(verb, error);
    } else {
      events.storeFailed(verb, error);
    }
    return error;
  }

  /** Rolls back a transaction that has acquired a message that must not run now. */
  private static final class OutOfTurnException extends Exception {

    private static final long serialVersionUID = 1L;

    OutOfTurnException() {
      super("a lane stops before an acquired message", null, false, false);
    }
  }
}
