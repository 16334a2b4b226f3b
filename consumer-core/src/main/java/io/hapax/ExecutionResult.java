package io.hapax;

import io.hapax.errors.NotAppliedException;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import java.time.Duration;
import java.util.Optional;

/**
 * The answer to {@link IdempotentExecutor#execute} and {@link TransactionalExecutor#execute}. Only
 * {@link Executed} and {@link Replayed} mean that the call took effect.
 */
public sealed interface ExecutionResult {

  /**
   * The call ran now, and its mark is DONE. Over HTTP: the response of the call.
   *
   * @param result what the call returned
   */
  record Executed(Bytes result) implements ExecutionResult {}

  /**
   * An earlier call under this id took effect; this one did not run. Over HTTP: the response of the
   * earlier call.
   *
   * @param result what the earlier call returned. Empty if the mark has no result: it was longer
   *     than {@link ExecutorBuilder#resultLimit}, or an operator forced the mark to DONE
   */
  record Replayed(Optional<Bytes> result) implements ExecutionResult {}

  /**
   * Another call under this id runs, in this process or in another one, or its process died and its
   * lease has not expired. This call did not run. Over HTTP: 409 with {@code Retry-After}.
   *
   * @param retryAfter when to ask again; a suggestion, at most one second. Not negative
   */
  record InProgress(Duration retryAfter) implements ExecutionResult {}

  /**
   * The id is known with another {@link Fingerprint}; this call did not run. The client used an
   * idempotency key for two requests. Over HTTP: 422.
   */
  record Conflict() implements ExecutionResult {}

  /**
   * An earlier call under this id may have taken effect, and this one did not run. The answer to
   * {@link ExecutorBuilder#refuseUnknownOutcome}, to a probe that does not know, and to a mark that
   * is DEAD. It does not occur otherwise. A call that failed with a {@link NotAppliedException} is
   * not in doubt. Over HTTP: 409 or 500; an operator has to decide.
   *
   * @param reason why, for people
   */
  record InDoubt(String reason) implements ExecutionResult {}

  /**
   * {@return what the case for this answer returns}
   *
   * @param cases a function for each answer
   * @param <R> the result
   */
  default <R> R match(Cases<R> cases) {
    if (this instanceof Executed it) {
      return cases.executed(it);
    } else if (this instanceof Replayed it) {
      return cases.replayed(it);
    } else if (this instanceof InProgress it) {
      return cases.inProgress(it);
    } else if (this instanceof Conflict it) {
      return cases.conflict(it);
    }
    return cases.inDoubt((InDoubt) this);
  }

  /**
   * A function for each answer.
   *
   * @param <R> the result
   */
  interface Cases<R> {

    /**
     * {@return the result for {@link Executed}}
     *
     * @param answer the answer
     */
    R executed(Executed answer);

    /**
     * {@return the result for {@link Replayed}}
     *
     * @param answer the answer
     */
    R replayed(Replayed answer);

    /**
     * {@return the result for {@link InProgress}}
     *
     * @param answer the answer
     */
    R inProgress(InProgress answer);

    /**
     * {@return the result for {@link Conflict}}
     *
     * @param answer the answer
     */
    R conflict(Conflict answer);

    /**
     * {@return the result for {@link InDoubt}}
     *
     * @param answer the answer
     */
    R inDoubt(InDoubt answer);
  }
}
