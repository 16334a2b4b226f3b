package io.hapax.demo;

import io.hapax.CompositeId;
import io.hapax.ExecutionResult.Conflict;
import io.hapax.ExecutionResult.Executed;
import io.hapax.ExecutionResult.InProgress;
import io.hapax.ExecutionResult.Replayed;
import io.hapax.IdempotentExecutor;
import io.hapax.TransactionalExecutor;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import java.sql.Connection;

/** Holds the example of docs/executor.md, between the two comments. */
final class ExecutorPageOrders implements AutoCloseable {

  /** An HTTP response. */
  record Response(int status, Bytes body) {}

  // example: begin
  private final TransactionalExecutor<Connection> executor;

  ExecutorPageOrders(JdbcDedupStore store) {
    executor = IdempotentExecutor.builder("orders-api").transactional(store);
  }

  Response post(String user, String idempotencyKey, byte[] body) throws Exception {
    var id = CompositeId.of(user, idempotencyKey); // two users may choose the same key
    var answer = executor.execute(id, Fingerprint.of(body), (connection, delivery) -> {
      try (var insert = connection.prepareStatement("INSERT INTO placed_order VALUES (?)")) {
        insert.setBytes(1, body);
        insert.executeUpdate();
      }
      return Bytes.utf8("order " + delivery.fencingToken());
    });
    if (answer instanceof Executed executed) {
      return new Response(201, executed.result());
    } else if (answer instanceof Replayed replayed) {
      return new Response(201, replayed.result().orElse(Bytes.EMPTY));
    } else if (answer instanceof InProgress) {
      return new Response(409, Bytes.EMPTY); // with the header Retry-After
    } else if (answer instanceof Conflict) {
      return new Response(422, Bytes.EMPTY);
    }
    return new Response(500, Bytes.EMPTY); // in doubt: never in transactional mode
  }

  // example: end

  @Override
  public void close() {
    executor.close();
  }
}
