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

/**
 * Commands that are under way, and share a time-out that counts from when they were written.
 *
 * @param commands the commands
 * @param timeout how long they may take
 * @param start when they were written, by the monotonic clock
 */
record Flight(
    List<AsyncCommand<byte[], byte[], List<Object>>> commands, Duration timeout, long start) {

  /** Whether all are done with. */
  boolean hasLanded() {
    return commands.stream().allMatch(AsyncCommand::isDone);
  }

  /** Waits for all; the i-th reply belongs to the i-th command. Ends what takes too long. */
  List<Reply> land() {
    if (!await()) {
      commands.forEach(command ->
          command.completeExceptionally(new TimeoutException("no reply within " + timeout)));
    }
    return commands.stream().map(Flight::reply).toList();
  }

  /** Waits for all, until the time-out at most. What takes longer stays under way. */
  boolean await() {
    try {
      CompletableFuture.allOf(commands.toArray(CompletableFuture[]::new))
          .get(timeout.toNanos() - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      // Each command tells what became of it.
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
