package io.hapax.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The id that a server gave itself when it started. It is asked for each time that the connection
 * to it was made, and again if there was no answer to be had.
 *
 * <p>A question is waited for as long as a verb waits for its replies, and not again: whoever was
 * answered through the same connection after that has sent later than the question, which was
 * answered before then. It counts whenever its answer comes. For one thread at a time.
 */
final class ServerIdentity {

  /**
   * A connection, told from the same one before it broke.
   *
   * @param connection the connection
   * @param times how often it was made
   */
  record Made(StatefulConnection<byte[], byte[]> connection, int times) {}

  private final Duration patience;
  private Optional<Made> asked = Optional.empty();
  private Optional<Flight> question = Optional.empty();
  private Optional<String> runId = Optional.empty();

  ServerIdentity(Duration patience) {
    this.patience = patience;
  }

  /** Asks, unless it was asked through this very connection. Does not wait. */
  void ask(Made made) {
    if (asked.filter(made::equals).isPresent()) {
      return;
    }
    try {
      question = Optional.of(new Wire(Line.fixed(made.connection()), true, patience)
          .depart(List.of(Request.of(CommandType.INFO, "server"))));
      asked = Optional.of(made);
    } catch (RedisException e) {
      asked = Optional.empty(); // it is asked when it is connected to
    }
  }

  /** Waits for the answer as long as anybody may wait for it. */
  void await() {
    question.ifPresent(Flight::await);
  }

  /** Whether it was asked through this very connection, and nothing more is to be expected. */
  boolean isSettled() {
    return asked.isPresent() && question.isEmpty();
  }

  /** How it is known that the server is another one than before; empty if it is not. */
  Optional<String> news() {
    Optional<Flight> landed = question.filter(Flight::hasLanded);
    if (landed.isEmpty()) {
      return Optional.empty();
    }
    question = Optional.empty();
    Reply reply = landed.get().land().get(0);
    if (reply instanceof Reply.Failure failure && !Rights.refuses(failure)) {
      asked = Optional.empty(); // it is asked again; only one that may not be asked stays unknown
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
        ? Info.field(Request.text(answer.content().get(0)), "run_id")
        : Optional.empty();
  }
}
