package io.hapax.redis;

import io.hapax.store.StoreException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisReadOnlyException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.AsyncCommand;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

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
final class Wire implements Sender {

  private final Line line;
  private final boolean oneServer;
  private final Duration timeout;

  Wire(Line line, boolean oneServer, Duration timeout) {
    this.line = line;
    this.oneServer = oneServer;
    this.timeout = timeout;
  }

  StatefulConnection<byte[], byte[]> connection() {
    return line.connection();
  }

  /** See {@link Line#renewals()}. */
  int renewals() {
    return line.renewals();
  }

  @Override
  public List<Reply> send(List<Request> requests) {
    StatefulConnection<byte[], byte[]> connection = line.connection();
    List<Reply> replies = depart(requests, connection).land();
    List<Request> inVain = inVain(requests, replies);
    if (!inVain.isEmpty() || line.isDropped() || isFull(connection, replies)) {
      line.suspect(connection, inVain);
    } else {
      line.answered();
    }
    return replies;
  }

  /**
   * Whether the client has refused commands although it is connected: then its queue is full of
   * commands that the server has not answered. A cluster has a queue for each node, and is told of
   * nodes by what timed out before.
   */
  private boolean isFull(StatefulConnection<byte[], byte[]> connection, List<Reply> replies) {
    return oneServer
        && connection.isOpen()
        && replies.stream()
            .anyMatch(reply -> reply instanceof Reply.Failure failure
                && failure.cause().getClass() == RedisException.class);
  }

  /** Sends all at once; whoever called waits for the replies. */
  Flight depart(List<Request> requests) {
    return depart(requests, line.connection());
  }

  private Flight depart(List<Request> requests, StatefulConnection<byte[], byte[]> connection) {
    long start = System.nanoTime();
    List<AsyncCommand<byte[], byte[], List<Object>>> commands =
        requests.stream().map(Request::command).toList();
    dispatch(commands, connection);
    return new Flight(commands, timeout, start);
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

  private void dispatch(
      List<AsyncCommand<byte[], byte[], List<Object>>> commands,
      StatefulConnection<byte[], byte[]> connection) {
    if (oneServer) {
      synchronized (connection) { // nothing gets between the commands of one call
        connection.dispatch(commands);
      }
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

  /** What led to a server that is silent, or is no master. */
  static List<Request> inVain(List<Request> requests, List<Reply> replies) {
    return IntStream.range(0, requests.size())
        .filter(i -> leadsNowhere(replies.get(i)))
        .mapToObj(requests::get)
        .toList();
  }

  private static boolean leadsNowhere(Reply reply) {
    return reply instanceof Reply.Failure failure
        && (failure.timedOut() || failure.cause() instanceof RedisReadOnlyException);
  }

  @Override
  public void close() {
    line.close();
  }
}
