package io.hapax.redis;

import io.hapax.redis.ServerChangeWatcher.Change;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Detects changes of one server. It knows the server's run id, which the server chooses when it
 * starts, and how many keys the server has evicted because its memory was full.
 *
 * <p>It asks for the run id once for each new connection, and again if there was no answer. A
 * caller waits for this answer as long as a verb waits for its replies, and only once. A later
 * reply on the same connection was sent after the question, so the answer is there by then. A late
 * answer still counts.
 *
 * <p>It asks for the evicted keys at most once in ten seconds and never waits for the answer: a
 * later call takes it, so that a hanging server delays no call. All methods but {@link #isDue} are
 * for one thread at a time.
 */
final class ServerProbe {

  private static final long INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

  /** A connection at one epoch; a reconnect starts the next epoch. */
  record Connected(StatefulConnection<byte[], byte[]> connection, int epoch) {}

  /** The evicted keys that a process of the server has counted; another one begins at zero. */
  private record Evicted(String runId, long keys) {}

  private final Duration timeout;
  private Optional<Connected> asked = Optional.empty();
  private Optional<PendingReplies> identity = Optional.empty();
  private Optional<String> runId = Optional.empty();
  private volatile long dueNanos = System.nanoTime();
  private volatile Optional<PendingReplies> evictions = Optional.empty();
  private volatile boolean forbidden;
  private Optional<Evicted> evicted = Optional.empty();

  ServerProbe(Duration timeout) {
    this.timeout = timeout;
  }

  private PendingReplies ask(StatefulConnection<byte[], byte[]> connection, String... sections) {
    return Pipeline.over(connection, timeout)
        .sendAsync(List.of(RedisRequest.of(CommandType.INFO, sections)));
  }

  /** Asks for the run id, unless it was asked on this connection in this epoch. Does not wait. */
  void askIdentity(Connected connected) {
    if (asked.filter(connected::equals).isPresent()) {
      return;
    }
    try {
      identity = Optional.of(ask(connected.connection(), "server"));
      asked = Optional.of(connected);
    } catch (RedisException e) {
      asked = Optional.empty(); // the next epoch asks
    }
  }

  /** Waits for the run id, at most until the timeout of its question. */
  void awaitIdentity() {
    identity.ifPresent(PendingReplies::await);
  }

  /** Returns whether the run id was asked for and no answer is pending. */
  boolean isSettled() {
    return asked.isPresent() && identity.isEmpty();
  }

  /** Returns whether a count of evicted keys has arrived, or is to be asked for. Any thread. */
  boolean isDue() {
    return evictions
        .map(PendingReplies::isComplete)
        .orElseGet(() -> !forbidden && System.nanoTime() - dueNanos >= 0);
  }

  /** Asks for the evicted keys if this is due; empty if there is no connection now. */
  void askEvictions(Optional<StatefulConnection<byte[], byte[]>> connection) {
    if (evictions.isPresent() || !isDue()) {
      return;
    }
    dueNanos = System.nanoTime() + INTERVAL_NANOS;
    try {
      evictions = connection.map(it -> ask(it));
    } catch (RedisException e) {
      evictions = Optional.empty(); // disconnected: the next question follows after the interval
    }
  }

  /** Takes the answers that have arrived. */
  void takeAnswers(String place, Consumer<Change> detected) {
    otherServer().ifPresent(evidence -> detected.accept(Change.latest(place, evidence)));
    moreEvicted().ifPresent(evidence -> detected.accept(Change.evicted(place, evidence)));
  }

  /** Returns the evidence that the server is another one than before; empty if it is the same. */
  private Optional<String> otherServer() {
    Optional<PendingReplies> complete = identity.filter(PendingReplies::isComplete);
    if (complete.isEmpty()) {
      return Optional.empty();
    }
    identity = Optional.empty();
    Reply reply = complete.get().collect().get(0);
    if (reply instanceof Reply.Failure failure && !PermissionCheck.refuses(failure)) {
      asked = Optional.empty(); // ask again; a missing permission is final
      return Optional.empty();
    }
    Optional<String> before = runId;
    Optional<String> now =
        reply instanceof Reply.Answer answer ? answer.info("run_id") : Optional.empty();
    runId = now.or(() -> before);
    return before.isPresent() && now.isPresent() && !before.equals(now)
        ? Optional.of("the server's run_id was " + before.get() + " and is " + now.get())
        : Optional.empty();
  }

  private Optional<String> moreEvicted() {
    Optional<PendingReplies> complete = evictions.filter(PendingReplies::isComplete);
    if (complete.isEmpty()) {
      return Optional.empty();
    }
    evictions = Optional.empty();
    Reply reply = complete.get().collect().get(0);
    forbidden = reply instanceof Reply.Failure failure && PermissionCheck.refuses(failure);
    Optional<Evicted> before = evicted;
    Optional<Evicted> now =
        reply instanceof Reply.Answer answer ? evicted(answer) : Optional.empty();
    evicted = now.or(() -> before);
    return now.flatMap(it -> before
            .filter(then -> then.runId().equals(it.runId()))
            .map(then -> it.keys() - then.keys()))
        .filter(keys -> keys > 0)
        .map(keys -> "its server has evicted " + keys + " keys, which may be marks, because its"
            + " memory is full; set maxmemory-policy noeviction");
  }

  private static Optional<Evicted> evicted(Reply.Answer answer) {
    return answer
        .info("run_id")
        .flatMap(runId ->
            answer.info("evicted_keys").map(keys -> new Evicted(runId, Long.parseLong(keys))));
  }
}
