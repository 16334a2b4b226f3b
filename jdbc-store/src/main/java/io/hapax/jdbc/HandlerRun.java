package io.hapax.jdbc;

import io.hapax.mark.Claim;
import io.hapax.store.BrokenTransactionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Runs the handler between the marks and the commit, and checks the transaction afterwards. */
record HandlerRun(
    String what,
    Dialect.Transaction transaction,
    TransactionRunner.Owner owner,
    StatementScreen screen,
    JdbcSettings settings) {

  /** A handler that receives the answers for the marks. */
  @FunctionalInterface
  interface Handler<A, X extends Exception> {
    void run(Connection connection, A answer) throws X;
  }

  <A, X extends Exception> void run(
      Connection connection, A answer, List<Claim> done, Handler<A, X> handler) throws X {
    marksWritten();
    GuardedConnection guard = new GuardedConnection(connection, screen);
    try {
      handler.run(guard.connection(), answer);
      owner.flush();
    } catch (Throwable e) {
      Optional<RuntimeException> instead = insteadOf(e, guard, done);
      if (instead.isPresent()) {
        throw instead.get();
      }
      throw e;
    } finally {
      guard.close();
    }
    guard.violation().ifPresent(violation -> {
      throw violation;
    });
    check(guard, guard.lastError(), done);
    owner.checkAtCommit(() -> check(guard, Optional.empty(), done));
  }

  /**
   * Returns what to throw instead of the handler's failure, if it is not a simple one. A deadlock
   * or a lost connection is not the handler's failure, unless it was slower than a limit of the
   * server. A handler that has ended the transaction may have committed its mark. A handler that
   * writes past the guard may have met its error elsewhere, for example in another database; then
   * its transaction is intact.
   */
  private Optional<RuntimeException> insteadOf(
      Throwable failure, GuardedConnection guard, List<Claim> done) {
    Optional<SQLException> met = guard.lastError();
    Duration pause = guard.pause();
    Optional<Dialect.TransactionStatus> status = statusAfter(failure);
    boolean intact = status.equals(Optional.of(Dialect.TransactionStatus.INTACT));
    Optional<RuntimeException> databasesFault = met.or(() -> SqlErrors.sqlCause(failure))
        .filter(error -> SqlErrors.isDatabasesFault(error, failure))
        .filter(error -> met.isPresent() || !intact)
        .map(error -> SqlErrors.tooSlow(error, pause, transaction.idleLimit(), failure)
            .<RuntimeException>map(slow -> slow)
            .orElseGet(() -> SqlErrors.inHandler(what, failure)));
    return intact || status.equals(Optional.of(Dialect.TransactionStatus.FAILED))
        ? databasesFault
        : Optional.of(TransactionEndedException.failed(
            done, databasesFault.<Throwable>map(it -> it).orElse(failure)));
  }

  /**
   * Returns the state of the transaction after a failure; empty if the database does not answer.
   */
  private Optional<Dialect.TransactionStatus> statusAfter(Throwable failure) {
    try {
      return Optional.of(transaction.status());
    } catch (SQLException e) {
      if (failure != e) {
        failure.addSuppressed(e);
      }
      return Optional.empty();
    }
  }

  private void marksWritten() {
    try {
      transaction.marksWritten();
    } catch (SQLException e) {
      throw SqlErrors.during(what, e, settings);
    }
  }

  private void check(GuardedConnection guard, Optional<SQLException> swallowed, List<Claim> done) {
    Duration pause = guard.pause();
    Dialect.TransactionStatus status;
    try {
      status = transaction.status();
    } catch (SQLException e) {
      SQLException loss = guard.loss().orElse(e);
      throw TransactionEndedException.failed(
          done,
          SqlErrors.tooSlow(loss, pause, transaction.idleLimit(), loss)
              .<RuntimeException>map(slow -> slow)
              .orElseGet(() -> SqlErrors.during(what, e, settings)));
    }
    guard.answered();
    switch (status) {
      case INTACT -> {}
      case FAILED ->
        throw new BrokenTransactionException(
            "the handler, or a callback before the commit, swallowed an SQL error, so its"
                + " transaction cannot be committed; everything was rolled back. Throw the error, or set a savepoint"
                + " before a statement that may fail",
            swallowed.orElseGet(() -> new SQLException("the transaction had failed", "25P02")));
      case ENDED -> throw TransactionEndedException.returned(done, swallowed);
    }
  }
}
