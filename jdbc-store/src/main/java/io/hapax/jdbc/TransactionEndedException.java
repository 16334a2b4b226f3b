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
 * Reports that the transaction ended before its commit. Whether it was committed is read from the
 * marks after the connection was given back.
 */
final class TransactionEndedException extends RuntimeException {

  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 20;

  private final transient List<Claim> claims;

  TransactionEndedException(List<Claim> claims, Optional<SQLException> swallowed) {
    super("the transaction ended before its commit");
    swallowed.ifPresent(this::initCause);
    this.claims = claims;
  }

  /**
   * Creates the exception for the caller.
   *
   * @param findDone returns the claims whose marks are DONE
   */
  BrokenTransactionException explained(UnaryOperator<List<Claim>> findDone) {
    String what =
        "the transaction ended while the handler ran, or in a callback before the commit: a"
            + " schema change commits on some databases,"
            + " a routine may contain COMMIT or ROLLBACK, and some databases roll back after"
            + " an error that the handler swallowed; ";
    try {
      List<Claim> done = findDone.apply(claims);
      return new BrokenTransactionException(
          what
              + (done.isEmpty()
                  ? "everything was rolled back"
                  : "these marks are DONE, with what was written before that statement, and"
                      + " without what came after it: " + names(done)
                      + ". Their messages do not run again; reopen those whose effect is missing"),
          getCause() == null ? this : getCause());
    } catch (StoreException unknown) {
      addSuppressed(unknown);
      return new BrokenTransactionException(
          what + "the marks, and what was written before that statement, may be committed: "
              + names(claims),
          this);
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
