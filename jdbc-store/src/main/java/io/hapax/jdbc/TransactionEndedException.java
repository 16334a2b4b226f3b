package io.hapax.jdbc;

import io.hapax.mark.Claim;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.StoreException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Reports that the transaction ended, or may have ended, before its commit. Whether it was
 * committed is read from the marks after the connection was given back.
 */
final class TransactionEndedException extends RuntimeException {

  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 20;

  private static final String WHAT =
      "the transaction ended while the handler ran, or in a callback before the commit; ";

  private static final String WHY =
      ". COMMIT and commit() end it, a schema change commits on some databases, a routine may"
          + " contain COMMIT or ROLLBACK, and some databases roll back after an error that the"
          + " handler swallowed";

  private final transient List<Claim> claims;
  private final transient Optional<Throwable> failure;

  private TransactionEndedException(
      List<Claim> claims, Optional<? extends Throwable> cause, Optional<Throwable> failure) {
    super("the transaction ended before its commit");
    cause.ifPresent(this::initCause);
    this.claims = claims;
    this.failure = failure;
  }

  /** The handler has returned, and its transaction has ended. */
  static TransactionEndedException returned(List<Claim> claims, Optional<SQLException> swallowed) {
    return new TransactionEndedException(claims, swallowed, Optional.empty());
  }

  /** The handler has failed, and its transaction has ended or does not answer. */
  static TransactionEndedException failed(List<Claim> claims, Throwable failure) {
    return new TransactionEndedException(claims, Optional.of(failure), Optional.of(failure));
  }

  /**
   * Takes back the marks that are DONE, and creates the exception for the caller.
   *
   * @throws X the handler's own failure, if nothing was committed
   */
  <X extends Exception> BrokenTransactionException explained(UnaryOperator<List<Claim>> takeBack)
      throws X {
    List<Claim> committed;
    try {
      committed = takeBack.apply(claims);
    } catch (StoreException unknown) {
      this.<X>throwFailure(unknown);
      addSuppressed(unknown);
      return new BrokenTransactionException(
          WHAT + "these marks may be committed, with a part of their effect: " + names(claims)
              + ". Reopen those whose effect is missing" + WHY,
          this,
          true);
    }
    Throwable cause = getCause() == null ? this : getCause();
    if (committed.isEmpty()) {
      this.<X>throwFailure();
      return new BrokenTransactionException(WHAT + "everything was rolled back" + WHY, cause);
    }
    return new BrokenTransactionException(
        WHAT + "these marks were committed, with a part of their effect: " + names(committed)
            + ". They are in doubt now, and their messages run again" + WHY
            + ". Return to commit, throw to roll back",
        cause,
        true);
  }

  /** The handler threw it, and the only checked exceptions that it throws are these. */
  @SuppressWarnings("unchecked")
  private <X extends Throwable> void throwFailure(Throwable... suppressed) throws X {
    if (failure.isPresent()) {
      List.of(suppressed).forEach(failure.get()::addSuppressed);
      throw (X) failure.get();
    }
  }

  private static String names(List<Claim> claims) {
    String names = claims.stream()
        .limit(SHOWN)
        .map(claim -> claim.key() + " (token " + claim.token() + ")")
        .collect(Collectors.joining(", "));
    return claims.size() > SHOWN ? names + " and " + (claims.size() - SHOWN) + " more" : names;
  }
}
