package io.hapax.redis;

import io.hapax.store.StoreException;
import io.lettuce.core.protocol.AsyncCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Commands that were sent together and share one timeout, which starts when they are written. */
record PendingReplies(
    List<AsyncCommand<byte[], byte[], List<Object>>> commands, Duration timeout, long start) {

  /** Returns whether every command has a reply or has failed. */
  boolean isComplete() {
    return commands.stream().allMatch(AsyncCommand::isDone);
  }

  /**
   * Waits for all replies; the i-th reply belongs to the i-th command. Fails the commands that have
   * no reply when the timeout expires.
   */
  List<Reply> collect() {
    if (!await()) {
      commands.forEach(command ->
          command.completeExceptionally(new TimeoutException("no reply within " + timeout)));
    }
    return commands.stream().map(PendingReplies::reply).toList();
  }

  /**
   * Waits for all replies, at most until the timeout, and returns whether all commands are
   * complete. Commands without a reply stay in flight.
   */
  boolean await() {
    try {
      CompletableFuture.allOf(commands.toArray(CompletableFuture[]::new))
          .get(timeout.toNanos() - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      // Each command has its own result.
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      commands.forEach(AsyncCommand::cancel);
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while waiting for Redis", e);
    }
    return true;
  }

  private static Reply reply(AsyncCommand<byte[], byte[], List<Object>> command) {
    try {
      return new Reply.Answer(new ArrayList<>(command.join()));
    } catch (RuntimeException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return new Reply.Failure(cause);
    }
  }
}
