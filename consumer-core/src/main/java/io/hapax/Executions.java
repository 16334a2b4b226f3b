package io.hapax;

import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.health.Problem;
import io.hapax.internal.message.Identity;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Executes calls through a receiver, each as a message of its own on the calling thread, and
 * translates outcomes into answers.
 */
abstract sealed class Executions<A> implements AutoCloseable
    permits IdempotentExecutor, TransactionalExecutor {

  /** The longest wait that is suggested to a client: the other call may end at any time. */
  private static final Duration LONGEST_RETRY_AFTER = Duration.ofSeconds(1);

  private final String name;
  private final IdempotentReceiver<PendingExecution<A>> receiver;
  private final List<Runnable> preconditions;
  private final Duration wait;
  private final Duration patience;
  private final boolean leased;
  private final Map<Bytes, PendingExecution<A>> running = new ConcurrentHashMap<>();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Makes executions whose calls wait for the store, and besides for the time of a probe. */
  Executions(
      String name,
      IdempotentReceiver<PendingExecution<A>> receiver,
      List<Runnable> preconditions,
      Duration patience,
      Duration probing) {
    this.name = name;
    this.receiver = receiver;
    this.preconditions = new CopyOnWriteArrayList<>(preconditions);
    this.wait = patience.plus(probing);
    this.patience = patience;
    this.leased = !receiver.port().settings().transactional();
  }

  /** {@return the name given to the builder, to which the marks of this executor belong} */
  public String name() {
    return name;
  }

  /**
   * {@return the state at this moment, without a call to the store} A call that runs is an
   * unfinished message.
   */
  public ReceiverHealth health() {
    return receiver.health();
  }

  /** {@return the problems of {@link #health()}; empty if there is none} */
  public List<Problem> problems() {
    return receiver.problems();
  }

  /** Adds a check to the calls that start from now on. */
  void precondition(Runnable check) {
    preconditions.add(check);
  }

  /** Executes a call that throws X at most; see {@link IdempotentExecutor#execute}. */
  @SuppressWarnings("unchecked") // besides what the call throws, only these checked exceptions
  <X extends Exception> ExecutionResult executeOnce(
      Bytes id, Fingerprint fingerprint, PendingExecution.Call<A> call)
      throws X, InterruptedException {
    check(id);
    preconditions.forEach(Runnable::run);
    Thread thread = Thread.currentThread();
    if (!threads.add(thread)) {
      throw new IllegalStateException("execute of executor '" + name + "' was called for " + id
          + " inside a call that it runs on this thread but must not be nested: the inner call would"
          + " take effect although the outer one may fail. Use another executor, or one call");
    }
    try {
      return execute(new PendingExecution<>(id, fingerprint, call));
    } catch (RuntimeException | InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw (X) e;
    } finally {
      threads.remove(thread);
    }
  }

  private static void check(Bytes id) {
    if (id.isBlank()) {
      throw new IllegalArgumentException("id is blank but must not be");
    }
    if (id.length() > MessageKey.MAX_ID_BYTES) {
      throw new IllegalArgumentException(
          "id has " + id.length() + " bytes but must have at most " + MessageKey.MAX_ID_BYTES);
    }
    Identity.requireUndamaged(id);
  }

  private ExecutionResult execute(PendingExecution<A> execution) throws Exception {
    PendingExecution<A> other = running.putIfAbsent(execution.id(), execution);
    if (other != null) {
      return other.fingerprint().conflictsWith(execution.fingerprint())
          ? new ExecutionResult.Conflict()
          : new ExecutionResult.InProgress(LONGEST_RETRY_AFTER);
    }
    try {
      Optional<Outcome> outcome = receive(execution);
      return outcome.isPresent() ? answer(execution, outcome.get()) : unsettled(execution);
    } finally {
      running.remove(execution.id(), execution);
    }
  }

  private Optional<Outcome> receive(PendingExecution<A> execution) throws Exception {
    Incoming<PendingExecution<A>> message = new Incoming<>(
        Handout.always(execution), // the caller's code makes the objects that it changes
        "",
        false,
        "a call of execute",
        false,
        Incoming.NO_TIMESTAMP);
    try {
      return receiver.receiveOnCallerThread(
          message, wait, () -> leased && execution.ended(), patience);
    } catch (InterruptedException interrupted) {
      Optional<Throwable> failure = execution.failure();
      if (failure.isPresent() && !(failure.get() instanceof InterruptedException)) {
        Thread.currentThread().interrupt();
        throw rethrown(failure.get());
      }
      throw interrupted;
    } catch (ReceiverClosedException failed) {
      if (execution.failure().isPresent()) {
        throw rethrown(execution.failure().get());
      }
      if (execution.started()) {
        throw new StoreException(
            "the call for " + execution.id()
                + " has run, and the executor has failed: it is unknown"
                + " whether its effect is marked as done, so that a repeat is possible",
            failed);
      }
      throw failed;
    }
  }

  /** The receiver goes on settling; if the process dies first, the id is in doubt. */
  private ExecutionResult unsettled(PendingExecution<A> execution) throws Exception {
    if (execution.failure().isPresent()) {
      throw rethrown(execution.failure().get());
    }
    if (execution.refused()) {
      return new ExecutionResult.InDoubt(PendingExecution.IN_DOUBT);
    }
    throw new StoreException(
        "the call for " + execution.id() + " took effect, but the store did not"
            + " take its DONE mark within the patience of " + patience
            + ", so that a repeat is possible;"
            + " the mark is sent until the store takes it: " + receiver.problems());
  }

  private ExecutionResult answer(PendingExecution<A> execution, Outcome outcome) throws Exception {
    if (outcome instanceof Outcome.Executed executed) {
      return new ExecutionResult.Executed(
          execution.result().or(() -> StoredResult.read(executed.result())).orElse(Bytes.EMPTY));
    }
    if (outcome instanceof Outcome.Duplicate duplicate) {
      return new ExecutionResult.Replayed(StoredResult.read(duplicate.result()));
    }
    if (execution.failure().isPresent()) {
      throw rethrown(execution.failure().get());
    }
    if (execution.refused()) {
      return new ExecutionResult.InDoubt(PendingExecution.IN_DOUBT);
    }
    if (outcome instanceof Outcome.Dropped) {
      return new ExecutionResult.Conflict();
    }
    if (outcome instanceof Outcome.DeadLettered dead) {
      return new ExecutionResult.InDoubt(dead.reason());
    }
    if (outcome instanceof Outcome.Deferred deferred) {
      return answer(execution, deferred);
    }
    throw new IllegalStateException(execution.id() + " has the unexpected outcome " + outcome);
  }

  private ExecutionResult answer(PendingExecution<A> execution, Outcome.Deferred deferred) {
    return switch (deferred.reason()) {
      case BUSY, BLOCKED, LEASE_LOST ->
        new ExecutionResult.InProgress(
            deferred.after().compareTo(LONGEST_RETRY_AFTER) > 0
                ? LONGEST_RETRY_AFTER
                : deferred.after());
      case CONFLICT -> new ExecutionResult.Conflict();
      case RETRY -> {
        if (execution.started()) {
          throw new StoreException(
              "the call for " + execution.id() + " was rolled back: " + deferred.detail());
        }
        yield new ExecutionResult.InDoubt(deferred.detail());
      }
      case STORE_UNAVAILABLE, ABANDONED -> throw withoutAnswer(execution, deferred.detail());
      case DEFERRED, DEAD_LETTER_FAILED, MISSING_ID, MISSING_FINGERPRINT, INTERNAL_ERROR ->
        throw new IllegalStateException(
            execution.id() + " was deferred as " + deferred.reason() + ": " + deferred.detail());
    };
  }

  private RuntimeException withoutAnswer(PendingExecution<A> execution, String detail) {
    if (closed) {
      return new ReceiverClosedException(name);
    }
    String consequence =
        execution.started() ? "it is unknown whether its effect is committed" : "nothing ran";
    String reasons =
        receiver.problems().isEmpty() ? detail : receiver.problems().toString();
    return new StoreException("the store gave no answer for " + execution.id()
        + " within the patience of " + patience + ", and " + consequence + ": " + reasons);
  }

  /** The call threw it, and the only checked exceptions that the call throws are the caller's. */
  private static Exception rethrown(Throwable failure) throws Exception {
    if (failure instanceof Error error) {
      throw error;
    }
    return (Exception) failure;
  }

  /**
   * Takes no further calls, waits for the running ones up to the drain timeout, and interrupts the
   * others. In leased mode the leases of these expire.
   */
  @Override
  public void close() {
    closed = true;
    receiver.close();
  }
}
