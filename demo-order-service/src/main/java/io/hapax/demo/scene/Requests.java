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

@FunctionalInterface
interface Requests extends AutoCloseable {

  /** Runs a request. Its id is unique among all customers. If it throws, nothing has happened. */
  ExecutionResult run(String id, String body, Transaction<Bytes, RuntimeException> work)
      throws Exception;

  @Override
  default void close() {}

  private static Fingerprint fingerprint(String body) {
    return Fingerprint.of(body.getBytes(StandardCharsets.UTF_8));
  }

  /** Runs each request once for each id, and gives a duplicate the result of that run. */
  static Requests once(Stage stage, String name) {
    return stage.marks() instanceof JdbcDedupStore store
        ? new InShop(IdempotentExecutor.builder(name).transactional(store))
        : new Leased(stage, IdempotentExecutor.builder(name).leased(stage.marks()));
  }

  /** Runs each request, as a server does that ignores ids. */
  static Requests each(Stage stage) {
    return (id, body, work) -> new ExecutionResult.Executed(stage.transact(work));
  }

  /** The mark is in the transaction of the order. */
  record InShop(TransactionalExecutor<Connection> executor) implements Requests {

    @Override
    public ExecutionResult run(String id, String body, Transaction<Bytes, RuntimeException> work)
        throws Exception {
      return executor.execute(
          id, fingerprint(body), (transaction, delivery) -> work.run(transaction));
    }

    @Override
    public void close() {
      executor.close();
    }
  }

  /** The mark has a lease, and the order a transaction of its own. */
  record Leased(Stage stage, IdempotentExecutor executor) implements Requests {

    @Override
    public ExecutionResult run(String id, String body, Transaction<Bytes, RuntimeException> work)
        throws Exception {
      return executor.execute(id, fingerprint(body), delivery -> stage.transact(work));
    }

    @Override
    public void close() {
      executor.close();
    }
  }
}
