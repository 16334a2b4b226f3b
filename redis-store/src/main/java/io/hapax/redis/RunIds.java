package io.hapax.redis;

import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Notices that a connection leads to another server than before, or to a restarted one: after each
 * reconnect the server is asked for the id that it gave itself when it started.
 */
final class RunIds implements Supplier<Optional<Watched.Change>> {

  private final Wire wire;
  private volatile int seen;
  private Optional<String> known;

  RunIds(Wire wire) {
    this.wire = wire;
    this.seen = wire.renewals();
    this.known = runId(ask());
  }

  /** Who comes while it is being found out waits for it. */
  @Override
  public Optional<Watched.Change> get() {
    return seen == wire.renewals() ? Optional.empty() : look();
  }

  private synchronized Optional<Watched.Change> look() {
    int renewals = wire.renewals();
    if (seen == renewals) {
      return Optional.empty();
    }
    Reply reply = ask();
    if (reply instanceof Reply.Failure failure && !isRefusal(failure.cause())) {
      return Optional.empty(); // not connected again yet; one that may not be asked stays unknown
    }
    Optional<String> before = known;
    known = runId(reply);
    seen = renewals;
    return before.isPresent() && known.isPresent() && !before.equals(known)
        ? Optional.of(new Watched.Change(
            "all shards", "the server's run_id was " + before.get() + " and is " + known.get()))
        : Optional.empty();
  }

  /** Who is busy with a script, or still loading, says it a little later. */
  private static boolean isRefusal(Throwable cause) {
    return cause instanceof RedisCommandExecutionException
        && !(cause instanceof RedisBusyException)
        && !(cause instanceof RedisLoadingException);
  }

  private Reply ask() {
    return wire.send(List.of(Request.of(CommandType.INFO, "server"))).get(0);
  }

  private static Optional<String> runId(Reply reply) {
    return reply instanceof Reply.Answer answer
        ? Info.field(Request.text(answer.content().get(0)), "run_id")
        : Optional.empty();
  }
}
