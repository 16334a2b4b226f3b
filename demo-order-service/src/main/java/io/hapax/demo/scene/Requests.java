package io.hapax.demo.scene;

import io.hapax.ExecutionResult;
import io.hapax.IdempotentExecutor;
import io.hapax.TransactionalExecutor;
import io.hapax.demo.scene.Stage.Transaction;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;

record Requests(Runner runner, Runnable end) implements AutoCloseable {

  @FunctionalInterface
  interface Runner {

    /** Runs a request. Its id is unique among all customers. If it throws, nothing has happened. */
    ExecutionResult run(String id, Fingerprint body, Transaction<Bytes, RuntimeException> work)
        throws Exception;
  }

  /**
   * Runs each request once for each id, and gives a duplicate the result of that run. The mark is
   * in the transaction of the order, or has a lease and the order has a transaction of its own.
   */
  static Requests once(Stage stage, String name) {
    if (stage.marks() instanceof JdbcDedupStore store) {
      TransactionalExecutor<Connection> executor =
          IdempotentExecutor.builder(name).transactional(store);
      return new Requests(
          (id, body, work) ->
              executor.execute(id, body, (transaction, delivery) -> work.run(transaction)),
          executor::close);
    }
    IdempotentExecutor executor = IdempotentExecutor.builder(name).leased(stage.marks());
    return new Requests(
        (id, body, work) -> executor.execute(id, body, delivery -> stage.transact(work)),
        executor::close);
  }

  /** Runs each request, as a server does that ignores ids. */
  static Requests each(Stage stage) {
    return new Requests(
        (id, body, work) -> new ExecutionResult.Executed(stage.transact(work)), () -> {});
  }

  ExecutionResult run(String id, String body, Transaction<Bytes, RuntimeException> work)
      throws Exception {
    return runner.run(id, Fingerprint.of(body.getBytes(StandardCharsets.UTF_8)), work);
  }

  @Override
  public void close() {
    end.run();
  }
}
