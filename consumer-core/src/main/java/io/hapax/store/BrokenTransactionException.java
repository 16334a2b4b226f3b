package io.hapax.store;

import io.hapax.errors.HapaxException;

/**
 * The handler left its transaction in a state that cannot be committed: it swallowed an SQL error,
 * called commit, rollback or close itself, or was slower than the database's limit for a
 * transaction. The handler failed, not the store. The transaction was rolled back, unless
 * {@link #inDoubt} says that the handler had committed it before.
 */
public final class BrokenTransactionException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /** Whether the handler may have committed a part of its effect. */
  private final boolean inDoubt;

  /**
   * Makes an exception for a transaction that was rolled back.
   *
   * @param message what the handler did and what it should do instead
   */
  public BrokenTransactionException(String message) {
    super(message);
    this.inDoubt = false;
  }

  /**
   * Makes an exception for a transaction that was rolled back.
   *
   * @param message what the handler did and what it should do instead
   * @param cause the store's own error
   */
  public BrokenTransactionException(String message, Throwable cause) {
    this(message, cause, false);
  }

  /**
   * Makes an exception with its message and cause.
   *
   * @param message what the handler did and what it should do instead
   * @param cause the store's own error, or what the handler threw afterwards
   * @param inDoubt whether the handler may have committed a part of its effect
   */
  public BrokenTransactionException(String message, Throwable cause, boolean inDoubt) {
    super(message, cause);
    this.inDoubt = inDoubt;
  }

  /**
   * {@return whether the handler may have committed a part of its effect, so that the next attempt
   * may repeat this part; false if everything was rolled back}
   */
  public boolean inDoubt() {
    return inDoubt;
  }
}
