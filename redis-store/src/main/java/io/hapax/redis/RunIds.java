package io.hapax.redis;

import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Optional;

/**
 * Notices that a connection leads to another server than before, or to a restarted one: after each
 * reconnect the server is asked for the id that it gave itself when it started.
 */
final class RunIds implements Watched.Changes {

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
  public List<Watched.Change> sinceLastTime() {
    return seen == wire.renewals() ? List.of() : look();
  }

  private synchronized List<Watched.Change> look() {
    int renewals = wire.renewals();
    if (seen == renewals) {
      return List.of();
    }
    Reply reply = ask();
    if (reply instanceof Reply.Failure failure && !Rights.refuses(failure)) {
      return List.of(); // it is asked again; only one that may not be asked stays unknown
    }
    Optional<String> before = known;
    known = runId(reply);
    seen = renewals;
    return before.isPresent() && known.isPresent() && !before.equals(known)
        ? List.of(new Watched.Change(
            "all shards", "the server's run_id was " + before.get() + " and is " + known.get()))
        : List.of();
  }

  private Reply ask() {
    return wire.send(List.of(Request.of(CommandType.INFO, "server"))).get(0);
  }

  static Optional<String> runId(Reply reply) {
    return reply instanceof Reply.Answer answer
        ? Info.field(Request.text(answer.content().get(0)), "run_id")
        : Optional.empty();
  }
}
