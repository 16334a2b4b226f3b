package io.hapax.jdbc;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
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

/** Executes the transactional verbs: marks and the handler's writes commit in one transaction. */
final class TransactionalVerbs {

  private static final Decision<ClaimRequest, ClaimAnswer> COMPLETE = new Decision<>(
      ClaimRequest::key, request -> request.terms().notAfter(), MarkMachine::complete);

  private static final Decision<Claim, Boolean> TAKE_BACK =
      Decision.atAnyTime(Claim::key, MarkMachine::takeBack);

  private final TransactionRunner runner;
  private final Connections connections;
  private final Statements statements;
  private final CompareAndSetLoop loop;
  private final JdbcSettings settings;
  private final StatementScreen screen;

  TransactionalVerbs(
      TransactionRunner runner,
      Connections connections,
      Statements statements,
      CompareAndSetLoop loop,
      JdbcSettings settings) {
    this.runner = runner;
    this.connections = connections;
    this.statements = statements;
    this.loop = loop;
    this.settings = settings;
    this.screen = new StatementScreen(statements.dialect());
  }

  /**
   * The answer to the caller, and the claims whose marks are now DONE; the handler runs unless
   * there are none.
   */
  private record Marks<A>(A answer, List<Claim> done) {}

  <X extends Exception> List<ClaimAnswer> runOnce(
      List<ClaimRequest> requests, BatchWork<Connection, X> work) throws X {
    try {
      return this.<List<ClaimAnswer>, X>inTransaction(
          "runOnce", handle -> complete(requests, handle), work::run);
    } catch (LockedException e) {
      return requests.stream()
          .<ClaimAnswer>map(request -> new ClaimAnswer.Busy(settings.lockWait()))
          .toList();
    }
  }

  private Marks<List<ClaimAnswer>> complete(List<ClaimRequest> requests, Handle handle) {
    Map<MessageKey, ClaimAnswer> answers =
        loop.decideFresh(handle, requests, COMPLETE, Optional.empty()).answers();
    List<ClaimAnswer> inOrder = requests.stream()
        .map(request -> Optional.ofNullable(answers.get(request.key())).orElseThrow())
        .toList();
    return new Marks<>(
        inOrder,
        inOrder.stream()
            .filter(Acquired.class::isInstance)
            .map(answer -> ((Acquired) answer).claim())
            .toList());
  }

  <X extends Exception> SettleAnswer completeWith(Claim claim, Work<Connection, X> work) throws X {
    Settlement done = new Settlement(claim, Verdict.Done.WITHOUT_RESULT);
    try {
      return this.<SettleAnswer, X>inTransaction(
          "completeWith", handle -> complete(done, handle), (tx, answer) -> work.run(tx));
    } catch (LockedException e) {
      throw new StoreContentionException(
          "completeWith: the mark stayed locked by another transaction", e);
    }
  }

  private Marks<SettleAnswer> complete(Settlement done, Handle handle) {
    Set<MessageKey> settled = statements.settle(handle, List.of(StatementVerbs.expected(done)));
    if (!settled.isEmpty()) {
      return new Marks<>(new SettleAnswer.Settled(false), List.of(done.claim()));
    }
    MessageKey key = done.claim().key();
    CompareAndSetLoop.Outcome<SettleAnswer> outcome =
        loop.decide(handle, List.of(done), StatementVerbs.SETTLE, Optional.empty());
    return new Marks<>(
        Optional.ofNullable(outcome.answers().get(key)).orElseThrow(),
        outcome.changed().contains(key) ? List.of(done.claim()) : List.of());
  }

  /** Writes a result through the handler's connection, which refuses to work later. */
  void keepResult(Connection connection, Claim claim, Bytes result) {
    try {
      if (!statements.keepResult(connection, claim, result)) {
        throw new IllegalStateException("the mark of " + claim.key() + " with token "
            + claim.token() + " is not DONE in this transaction but must be to keep a result");
      }
    } catch (SQLException e) {
      throw SqlErrors.during("keepResult", e, settings);
    }
  }

  private interface Writing<A> {
    Marks<A> write(Handle handle);
  }

  private <A, X extends Exception> A inTransaction(
      String what, Writing<A> writing, HandlerRun.Handler<A, X> handler) throws X {
    try {
      return runner.<A, X>run(what, (handle, transaction, owner) -> {
        Marks<A> marks = write(what, writing, handle);
        if (!marks.done().isEmpty()) {
          new HandlerRun(what, transaction, owner, screen, settings)
              .run(handle.getConnection(), marks.answer(), marks.done(), handler);
        }
        return marks.answer();
      });
    } catch (TransactionEndedException ended) {
      throw ended.<X>explained(this::takeBack);
    }
  }

  private <A> Marks<A> write(String what, Writing<A> writing, Handle handle) {
    try {
      return writing.write(handle);
    } catch (RuntimeException e) {
      if (SqlErrors.isLockTimeout(e)) {
        throw new LockedException(e);
      }
      throw SqlErrors.during(what, e, settings);
    }
  }

  /** Takes back the marks that these claims made DONE, and returns their claims. */
  private List<Claim> takeBack(List<Claim> claims) {
    Map<MessageKey, Boolean> taken = connections
        .autocommit("takeBack", handle -> loop.decide(handle, claims, TAKE_BACK, Optional.empty()))
        .answers();
    return claims.stream()
        .filter(claim -> taken.getOrDefault(claim.key(), false))
        .toList();
  }

  /**
   * Reports that a mark stayed locked longer than the lock wait; the transaction is rolled back.
   */
  private static final class LockedException extends StoreException {
    private static final long serialVersionUID = 1L;

    LockedException(Throwable cause) {
      super("a mark stayed locked by another transaction", cause);
    }
  }
}
