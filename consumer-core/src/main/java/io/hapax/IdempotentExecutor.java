package io.hapax;

import io.hapax.errors.NotAppliedException;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Runs a call once for each id and gives duplicates the result of that run, without a broker: for
 * HTTP requests with an {@code Idempotency-Key}, and for jobs. It claims the id, holds its lease,
 * runs the call on the calling thread, and marks the id DONE with the result, as an
 * {@link IdempotentReceiver} in leased mode does. The call may do anything. With a database that
 * takes the effects, too, prefer {@link TransactionalExecutor}.
 *
 * <p><b>The caller retries.</b> After a call that failed, the next one under the same id runs at
 * once. An id is never locked by its number of attempts, and nothing is dead-lettered.
 *
 * <p><b>Repeats.</b> If the process dies between the effect and the DONE mark, or the call throws
 * after its effect, the next call under the id runs again, with {@link Delivery#recovery()}. After
 * a crash this is so once the lease has expired; until then the answer is
 * {@link ExecutionResult.InProgress}. {@link ExecutorBuilder#probeUnknownOutcome} and
 * {@link ExecutorBuilder#refuseUnknownOutcome} prevent repeats.
 *
 * <p>Thread-safe: calls of many threads do not wait for each other. Does not close the store.
 */
public final class IdempotentExecutor extends Executions<Delivery<Bytes>> {

  IdempotentExecutor(
      String name,
      IdempotentReceiver<PendingExecution<Delivery<Bytes>>> receiver,
      List<Runnable> preconditions,
      Duration patience,
      Duration probing) {
    super(name, receiver, preconditions, patience, probing);
  }

  /**
   * {@return a new builder, also for a {@link TransactionalExecutor}}
   *
   * @param name the same for all instances that share the ids, and different for every other use of
   *     the store, for consumers too; the rules of {@link IdempotentReceiver#builder} hold
   */
  public static ExecutorBuilder builder(String name) {
    return new ExecutorBuilder(name);
  }

  /**
   * Executes a call under a text id, as {@link #execute(Bytes, Fingerprint, IdempotentCall)} does.
   *
   * @param id the id, as UTF-8
   * @param fingerprint the fingerprint of the request
   * @param call the call
   * @param <X> what the call may throw
   * @return the answer
   * @throws X what the call threw
   * @throws InterruptedException as there
   */
  public <X extends Exception> ExecutionResult execute(
      String id, Fingerprint fingerprint, IdempotentCall<X> call) throws X, InterruptedException {
    return execute(Bytes.utf8(id), fingerprint, call);
  }

  /**
   * Executes a call, unless an earlier call under the same id took effect or runs. Waits for the
   * store, but never for another call.
   *
   * <p>If the lease was lost while the call ran, another owner may run it too, and the answer is
   * {@link ExecutionResult.InProgress}.
   *
   * @param id the id, for example the idempotency key behind the name of its user. Not blank, at
   *     most {@link io.hapax.mark.MessageKey#MAX_ID_BYTES} bytes, and no text that holds U+FFFD
   * @param fingerprint the fingerprint of the request, for example of its body;
   *     {@link Fingerprint#NONE} compares nothing
   * @param call the call
   * @param <X> what the call may throw
   * @return the answer
   * @throws X what the call threw, after its claim was settled. The call is in doubt, unless it
   *     threw a {@link NotAppliedException}
   * @throws StoreException if the store did not answer within the patience
   *     ({@link ExecutorBuilder#patience}). Before the call, nothing ran. After it, the message
   *     says that the call took effect. The executor keeps the lease and goes on sending the DONE
   *     mark. The next call under the id gets the result once the store has taken it
   * @throws InterruptedException if the calling thread was interrupted. If the call had returned,
   *     its mark is written, and the next call under the id gets its result
   * @throws IllegalStateException if a call that this executor runs on this thread calls it
   * @throws ReceiverClosedException if the executor is closed, or has failed before the call. A
   *     call that still ran when the executor was closed may have taken effect
   */
  public <X extends Exception> ExecutionResult execute(
      Bytes id, Fingerprint fingerprint, IdempotentCall<X> call) throws X, InterruptedException {
    return this.<X>executeOnce(id, fingerprint, call::call);
  }

  /**
   * Adds a check, as {@link ExecutorBuilder#precondition} does, for a framework that gets an
   * executor of the application. Applies to calls that start later.
   *
   * @param check throws an unchecked exception to refuse the call; thread-safe
   */
  public void addPrecondition(Runnable check) {
    precondition(Objects.requireNonNull(check, "check"));
  }
}
