package io.hapax.jdbc;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import io.hapax.store.TransactionalDedupStore.BatchWork;
import io.hapax.store.TransactionalDedupStore.Work;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Marks and the handler's writes in one transaction: both stand, or neither does. */
final class OneTransaction {

  private static final Decision<ClaimRequest, ClaimAnswer> COMPLETE = new Decision<>(
      ClaimRequest::key, request -> request.terms().notAfter(), MarkMachine::complete);

  private final Borrowing borrowing;
  private final Statements statements;
  private final Decider decider;
  private final JdbcSettings settings;

  OneTransaction(
      Borrowing borrowing, Statements statements, Decider decider, JdbcSettings settings) {
    this.borrowing = borrowing;
    this.statements = statements;
    this.decider = decider;
    this.settings = settings;
  }

  <X extends Exception> List<ClaimAnswer> runOnce(
      List<ClaimRequest> requests, BatchWork<Connection, X> work) throws X {
    try {
      return this.<List<ClaimAnswer>, X>inTransaction(
          "runOnce", handle -> marked(requests, handle), OneTransaction::acquiredAny, work::run);
    } catch (LockedException e) {
      return requests.stream()
          .<ClaimAnswer>map(request -> new ClaimAnswer.Busy(settings.lockWait()))
          .toList();
    }
  }

  private List<ClaimAnswer> marked(List<ClaimRequest> requests, Handle handle) {
    Map<MessageKey, ClaimAnswer> answers =
        decider.decideFresh(handle, requests, COMPLETE, Optional.empty()).answers();
    return requests.stream()
        .map(request -> Optional.ofNullable(answers.get(request.key())).orElseThrow())
        .toList();
  }

  <X extends Exception> SettleAnswer completeWith(Claim claim, Work<Connection, X> work) throws X {
    Settlement done = new Settlement(claim, Verdict.Done.WITHOUT_RESULT);
    try {
      return this.<Completion, X>inTransaction(
              "completeWith",
              handle -> complete(done, handle),
              Completion::changed,
              (connection, completion) -> work.run(connection))
          .answer();
    } catch (LockedException e) {
      throw new StoreContentionException(
          "completeWith: the mark stayed locked by another transaction", e);
    }
  }

  /** How the mark of one claim moved to DONE. */
  private record Completion(SettleAnswer answer, boolean changed) {}

  private Completion complete(Settlement done, Handle handle) {
    Set<MessageKey> settled = statements.settle(handle, List.of(Verbs.expected(done)));
    if (!settled.isEmpty()) {
      return new Completion(new SettleAnswer.Settled(false), true);
    }
    MessageKey key = done.claim().key();
    Decider.Outcome<SettleAnswer> outcome =
        decider.decide(handle, List.of(done), Verbs.SETTLE, Optional.empty());
    return new Completion(
        Optional.ofNullable(outcome.answers().get(key)).orElseThrow(),
        outcome.changed().contains(key));
  }

  private static boolean acquiredAny(List<ClaimAnswer> answers) {
    return answers.stream().anyMatch(ClaimAnswer.Acquired.class::isInstance);
  }

  private interface Marks<R> {
    R write(Handle handle);
  }

  private interface Needed<R> {
    boolean needed(R marks);
  }

  private <R, X extends Exception> R inTransaction(
      String what, Marks<R> marks, Needed<R> needed, FramedWork<R, X> work) throws X {
    try (Handle handle = open(what)) {
      Connection connection = handle.getConnection();
      Dialect.Restore restore = enter(what, connection);
      R result;
      try {
        result = marks(what, marks, handle);
        if (needed.needed(result)) {
          framed(what, connection, result, work);
        }
        commit(connection);
      } catch (Throwable e) {
        Transactions.undo(connection, restore, e);
        throw e;
      }
      restore(connection, restore);
      return result;
    }
  }

  private Handle open(String what) {
    try {
      return borrowing.open();
    } catch (RuntimeException e) {
      throw SqlTrouble.during(what, e, settings);
    }
  }

  private Dialect.Restore enter(String what, Connection connection) {
    try {
      return statements.dialect().enterTransaction(connection, settings);
    } catch (SQLException e) {
      throw SqlTrouble.during(what, e, settings);
    }
  }

  private <R> R marks(String what, Marks<R> marks, Handle handle) {
    try {
      return marks.write(handle);
    } catch (RuntimeException e) {
      if (SqlTrouble.isLockTimeout(e)) {
        throw new LockedException(e);
      }
      throw SqlTrouble.during(what, e, settings);
    }
  }

  private interface FramedWork<R, X extends Exception> {
    void run(Connection connection, R marks) throws X;
  }

  private <R, X extends Exception> void framed(
      String what, Connection connection, R result, FramedWork<R, X> work) throws X {
    Dialect.Frame frame;
    try {
      frame = statements.dialect().beginWork(connection, settings);
    } catch (SQLException e) {
      throw SqlTrouble.during(what, e, settings);
    }
    GuardedConnection guard = new GuardedConnection(
        connection, new StatementScreen(statements.dialect().committing()));
    try {
      work.run(guard.connection(), result);
    } catch (Throwable e) {
      // Others made the database roll back: that is not the handler's failure.
      if (e instanceof Exception && SqlTrouble.isContention(e)) {
        throw SqlTrouble.during(what, e, settings);
      }
      throw e;
    } finally {
      guard.close();
    }
    guard.violation().ifPresent(violation -> {
      throw violation;
    });
    unbroken(what, frame);
  }

  private void unbroken(String what, Dialect.Frame frame) {
    try {
      if (frame.unbroken()) {
        return;
      }
    } catch (SQLException e) {
      if (SqlTrouble.isConnectionLoss(e)) {
        throw SqlTrouble.during(what, e, settings);
      }
      throw new BrokenTransactionException(
          "the handler swallowed an SQL error, or ended the transaction with a statement; let the"
              + " error out, or set a savepoint of your own around what may fail",
          e);
    }
    throw new BrokenTransactionException(
        "the handler ended the transaction: a statement that changes the schema commits by itself,"
            + " and so may COMMIT; such statements must not run in a handler");
  }

  private static void commit(Connection connection) {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw SqlTrouble.duringCommit(e);
    }
  }

  /** The commit stands whatever happens now; a connection that cannot be restored is not reused. */
  private static void restore(Connection connection, Dialect.Restore restore) {
    try {
      restore.restore();
    } catch (SQLException e) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException gone) {
        e.addSuppressed(gone);
      }
    }
  }

  /** A mark stayed locked longer than the lock wait; everything was rolled back. */
  private static final class LockedException extends StoreException {
    private static final long serialVersionUID = 1L;

    LockedException(Throwable cause) {
      super("a mark stayed locked by another transaction", cause);
    }
  }
}
