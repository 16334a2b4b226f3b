package io.hapax.redis;

import io.hapax.store.StoreException;
import io.lettuce.core.RedisException;
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

  /**
   * Returns what became of a command. No reply to the store's commands has a list in it, unless the
   * client has sent a command again after a part of its reply: then the second reply is an element
   * of the first one.
   */
  private static Reply reply(AsyncCommand<byte[], byte[], List<Object>> command) {
    try {
      List<Object> content = new ArrayList<>(command.join());
      return content.stream().anyMatch(List.class::isInstance)
          ? new Reply.Failure(new RedisException("the connection was lost within the reply"))
          : new Reply.Answer(content);
    } catch (RuntimeException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return new Reply.Failure(cause);
    }
  }
}
