package io.hapax.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the run id of a server, which the server chooses when it starts. Asks for it once for each
 * new connection, and again if there was no answer.
 *
 * <p>A caller waits for an answer as long as a verb waits for its replies, and only once. A later
 * reply on the same connection was sent after the question, so the answer is there by then. A late
 * answer still counts. For one thread at a time.
 */
final class ServerIdentity {

  /**
   * A connection at one epoch; a reconnect starts the next epoch.
   *
   * @param connection the connection
   * @param epoch how often it was connected
   */
  record Connected(StatefulConnection<byte[], byte[]> connection, int epoch) {}

  private final Duration timeout;
  private Optional<Connected> asked = Optional.empty();
  private Optional<PendingReplies> question = Optional.empty();
  private Optional<String> runId = Optional.empty();

  ServerIdentity(Duration timeout) {
    this.timeout = timeout;
  }

  /** Asks, unless the question was sent on this connection in this epoch. Does not wait. */
  void ask(Connected connected) {
    if (asked.filter(connected::equals).isPresent()) {
      return;
    }
    try {
      question =
          Optional.of(new Pipeline(RenewableConnection.fixed(connected.connection()), true, timeout)
              .sendAsync(List.of(Request.of(CommandType.INFO, "server"))));
      asked = Optional.of(connected);
    } catch (RedisException e) {
      asked = Optional.empty(); // the next epoch asks
    }
  }

  /** Waits for the answer, at most until its timeout. */
  void await() {
    question.ifPresent(PendingReplies::await);
  }

  /** Returns whether the question was sent and no answer is pending. */
  boolean isSettled() {
    return asked.isPresent() && question.isEmpty();
  }

  /** Returns the evidence that the server is another one than before; empty if it is the same. */
  Optional<String> change() {
    Optional<PendingReplies> complete = question.filter(PendingReplies::isComplete);
    if (complete.isEmpty()) {
      return Optional.empty();
    }
    question = Optional.empty();
    Reply reply = complete.get().collect().get(0);
    if (reply instanceof Reply.Failure failure && !PermissionCheck.refuses(failure)) {
      asked = Optional.empty(); // ask again; a missing permission is final
      return Optional.empty();
    }
    Optional<String> before = runId;
    Optional<String> now = runId(reply);
    runId = now.or(() -> before);
    return before.isPresent() && now.isPresent() && !before.equals(now)
        ? Optional.of("the server's run_id was " + before.get() + " and is " + now.get())
        : Optional.empty();
  }

  private static Optional<String> runId(Reply reply) {
    return reply instanceof Reply.Answer answer
        ? InfoReply.field(Request.text(answer.content().get(0)), "run_id")
        : Optional.empty();
  }
}
