package io.hapax.spring.listener;

import io.hapax.BatchHandler;
import io.hapax.MessageHandler;
import io.hapax.TransactionalHandler;
import io.hapax.errors.DeferredException;
import java.time.Duration;

/**
 * Keeps calls of listeners from starting while it is closed. What does not start is deferred, due
 * at once and without an attempt. A transaction that has begun ends, because the gate is before the
 * transaction and not before each of its messages.
 */
final class StartGate {

  private volatile boolean closed;

  void close() {
    closed = true;
  }

  void open() {
    closed = false;
  }

  <M> MessageHandler<M> messages(MessageHandler<M> handler) {
    return delivery -> {
      pass();
      handler.handle(delivery);
    };
  }

  <M> BatchHandler<M> batches(BatchHandler<M> handler) {
    return deliveries -> {
      pass();
      handler.handle(deliveries);
    };
  }

  <M, T> TransactionalHandler<M, T> transactions(TransactionalHandler<M, T> handler) {
    return (transaction, deliveries) -> {
      pass();
      handler.handle(transaction, deliveries);
    };
  }

  private void pass() {
    if (closed) {
      throw new DeferredException(Duration.ZERO, "the application shuts down");
    }
  }
}
