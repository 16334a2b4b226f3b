package io.hapax.redis;

import io.hapax.store.StoreException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.AsyncCommand;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Sends commands over one connection without waiting for each reply. Writes all commands of a call
 * in one flush (in a cluster: each to its node) and applies one timeout to all of them.
 *
 * <p>After a reconnect, Lettuce repeats commands that have no reply and are not complete. A command
 * that timed out here is cancelled, so it is not repeated. A repetition does no harm: it gets the
 * same answer again or is fenced. For that, a claim carries its nonce and its deadline, and a
 * settlement or renewal carries nonce and token. A repeated decision of an operator changes nothing
 * and is answered so, although the first one has changed the mark.
 */
final class Pipeline implements Sender {

  /** The errors of a server that takes no writes and may have a successor. */
  private static final Set<String> NO_MASTER =
      Set.of("READONLY", "MASTERDOWN", "LOADING", "NOREPLICAS");

  private final RenewableConnection renewable;
  private final boolean oneServer;
  private final Duration timeout;

  Pipeline(RenewableConnection renewable, boolean oneServer, Duration timeout) {
    this.renewable = renewable;
    this.oneServer = oneServer;
    this.timeout = timeout;
  }

  /** Uses a connection to one server that another component maintains. */
  static Pipeline over(StatefulConnection<byte[], byte[]> connection, Duration timeout) {
    return new Pipeline(RenewableConnection.fixed(connection), true, timeout);
  }

  StatefulConnection<byte[], byte[]> connection() {
    return renewable.connection();
  }

  /** Returns {@link RenewableConnection#epoch()}. */
  int epoch() {
    return renewable.epoch();
  }

  @Override
  public List<Reply> send(List<RedisRequest> requests) {
    StatefulConnection<byte[], byte[]> connection = renewable.connection();
    List<Reply> replies = sendAsync(requests, connection).collect();
    List<RedisRequest> unanswered = unanswered(requests, replies);
    if (!unanswered.isEmpty() || renewable.isDropped() || isUseless(connection, replies)) {
      renewable.suspect(connection, unanswered);
    } else {
      renewable.answered();
    }
    return replies;
  }

  /**
   * Returns whether another connection may serve commands that this one does not. Either its server
   * is no master, or the connected client has refused commands because its queue is full of
   * commands without a reply. A cluster has one connection and one queue for each node; there,
   * redirections and earlier timeouts reveal such a node.
   */
  private boolean isUseless(StatefulConnection<byte[], byte[]> connection, List<Reply> replies) {
    return oneServer
        && replies.stream()
            .anyMatch(reply -> reply instanceof Reply.Failure failure
                && (NO_MASTER.contains(failure.code())
                    || (connection.isOpen()
                        && failure.cause().getClass() == RedisException.class)));
  }

  /** Sends all commands at once; the caller collects the replies. */
  PendingReplies sendAsync(List<RedisRequest> requests) {
    return sendAsync(requests, renewable.connection());
  }

  private PendingReplies sendAsync(
      List<RedisRequest> requests, StatefulConnection<byte[], byte[]> connection) {
    long start = System.nanoTime();
    List<AsyncCommand<byte[], byte[], List<Object>>> commands =
        requests.stream().map(RedisRequest::command).toList();
    dispatch(commands, connection);
    return new PendingReplies(commands, timeout, start);
  }

  /** Sends one command and returns its answer. */
  List<Object> ask(RedisRequest request) {
    Reply reply = send(List.of(request)).get(0);
    if (reply instanceof Reply.Answer answer) {
      return answer.content();
    }
    Throwable cause = ((Reply.Failure) reply).cause();
    throw new StoreException("Redis refused or did not answer: " + cause.getMessage(), cause);
  }

  private void dispatch(
      List<AsyncCommand<byte[], byte[], List<Object>>> commands,
      StatefulConnection<byte[], byte[]> connection) {
    if (oneServer) {
      synchronized (connection) { // no other call's commands come between
        connection.dispatch(commands);
      }
      return;
    }
    for (AsyncCommand<byte[], byte[], List<Object>> command : commands) {
      try {
        connection.dispatch(command);
      } catch (RuntimeException e) { // affects this command's node only
        command.completeExceptionally(e);
      }
    }
  }

  /** Returns the requests that reached a silent server. */
  static List<RedisRequest> unanswered(List<RedisRequest> requests, List<Reply> replies) {
    return IntStream.range(0, requests.size())
        .filter(i -> replies.get(i) instanceof Reply.Failure failure && failure.timedOut())
        .mapToObj(requests::get)
        .toList();
  }

  @Override
  public void close() {
    renewable.close();
  }
}
