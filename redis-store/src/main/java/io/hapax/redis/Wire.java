package io.hapax.redis;

import io.hapax.store.StoreException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.AsyncCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A connection on which many commands are under way at once. All commands of one call are written
 * in one flush (to a cluster: each to its node without waiting for the others) and share one
 * time-out.
 *
 * <p>Lettuce sends commands that it has no reply for once more after a reconnect, unless they are
 * done with: what timed out here is cancelled and so not sent again. A repetition does no harm: a
 * claim carries its nonce and its last moment, a settlement and a renewal carry nonce and token, so
 * each gives the same answer again or is fenced.
 */
final class Wire implements Sender, AutoCloseable {

  private final StatefulConnection<byte[], byte[]> connection;
  private final boolean oneServer;
  private final Duration timeout;

  Wire(StatefulConnection<byte[], byte[]> connection, boolean oneServer, Duration timeout) {
    this.connection = connection;
    this.oneServer = oneServer;
    this.timeout = timeout;
  }

  StatefulConnection<byte[], byte[]> connection() {
    return connection;
  }

  @Override
  public List<Reply> send(List<Request> requests) {
    List<AsyncCommand<byte[], byte[], List<Object>>> commands =
        requests.stream().map(Request::command).toList();
    try {
      dispatch(commands);
      CompletableFuture.allOf(commands.toArray(CompletableFuture[]::new))
          .get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      // Each command tells below what became of it.
    } catch (TimeoutException e) {
      commands.forEach(command ->
          command.completeExceptionally(new TimeoutException("no reply within " + timeout)));
    } catch (InterruptedException e) {
      commands.forEach(AsyncCommand::cancel);
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while waiting for Redis", e);
    }
    return commands.stream().map(Wire::reply).toList();
  }

  /** Sends one and gives its answer. */
  List<Object> ask(Request request) {
    Reply reply = send(List.of(request)).get(0);
    if (reply instanceof Reply.Answer answer) {
      return answer.content();
    }
    Throwable cause = ((Reply.Failure) reply).cause();
    throw new StoreException("Redis did not do what it was asked: " + cause.getMessage(), cause);
  }

  private void dispatch(List<AsyncCommand<byte[], byte[], List<Object>>> commands) {
    if (oneServer) {
      connection.dispatch(commands);
      return;
    }
    for (AsyncCommand<byte[], byte[], List<Object>> command : commands) {
      try {
        connection.dispatch(command);
      } catch (RuntimeException e) { // of this command's node alone
        command.completeExceptionally(e);
      }
    }
  }

  private static Reply reply(AsyncCommand<byte[], byte[], List<Object>> command) {
    try {
      return new Reply.Answer(new ArrayList<>(command.join()));
    } catch (RuntimeException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return new Reply.Failure(cause);
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
