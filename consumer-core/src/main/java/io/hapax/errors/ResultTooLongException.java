package io.hapax.errors;

import io.hapax.TransactionalExecutor;

/**
 * Thrown by a {@link TransactionalExecutor} for a result that its mark may not hold. The
 * transaction is rolled back: nothing has happened.
 */
public final class ResultTooLongException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /**
   * Names the id and the limit.
   *
   * @param id the id of the call
   * @param length the length of the result, in bytes
   * @param limit the limit, in bytes
   */
  public ResultTooLongException(String id, int length, int limit) {
    super("the result of " + id + " has " + length + " bytes but resultLimit is " + limit
        + ": the transaction is rolled back");
  }
}
