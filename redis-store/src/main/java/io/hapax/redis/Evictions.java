package io.hapax.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Watches how many keys a server has evicted because its memory was full. Asks at most once in ten
 * seconds and never waits for the answer: a later call takes it, so that a hanging server delays no
 * call. All methods but {@link #isDue} are for one thread at a time.
 */
final class Evictions {

  private static final long INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

  /**
   * An answer.
   *
   * @param runId which process of the server counts; another one begins at zero
   * @param keys the number of evicted keys
   */
  private record Count(String runId, long keys) {}

  private final Duration timeout;
  private volatile long dueNanos = System.nanoTime();
  private volatile Optional<PendingReplies> question = Optional.empty();
  private volatile boolean forbidden;
  private Optional<Count> known = Optional.empty();

  Evictions(Duration timeout) {
    this.timeout = timeout;
  }

  /** Returns whether an answer has arrived, or the next question is due. Any thread. */
  boolean isDue() {
    return question
        .map(PendingReplies::isComplete)
        .orElseGet(() -> !forbidden && System.nanoTime() - dueNanos >= 0);
  }

  /** Asks if a question is due; empty if there is no connection now. */
  void ask(Optional<StatefulConnection<byte[], byte[]>> connection) {
    if (question.isPresent() || !isDue()) {
      return;
    }
    dueNanos = System.nanoTime() + INTERVAL_NANOS;
    try {
      question = connection.map(it -> new Pipeline(RenewableConnection.fixed(it), true, timeout)
          .sendAsync(List.of(Request.of(CommandType.INFO))));
    } catch (RedisException e) {
      question = Optional.empty(); // disconnected: the next question follows after the interval
    }
  }

  /** Takes an answer; returns the evidence that keys were evicted since the previous one. */
  Optional<String> increase() {
    Optional<PendingReplies> complete = question.filter(PendingReplies::isComplete);
    if (complete.isEmpty()) {
      return Optional.empty();
    }
    question = Optional.empty();
    Reply reply = complete.get().collect().get(0);
    forbidden = reply instanceof Reply.Failure failure && PermissionCheck.refuses(failure);
    Optional<Count> before = known;
    Optional<Count> now = count(reply);
    known = now.or(() -> before);
    return now.flatMap(it -> before
            .filter(then -> then.runId().equals(it.runId()))
            .map(then -> it.keys() - then.keys()))
        .filter(keys -> keys > 0)
        .map(keys -> "its server has evicted " + keys + " keys, which may be marks, because its"
            + " memory is full; set maxmemory-policy noeviction");
  }

  private static Optional<Count> count(Reply reply) {
    if (!(reply instanceof Reply.Answer answer)) {
      return Optional.empty();
    }
    String info = Request.text(answer.content().get(0));
    return InfoReply.field(info, "run_id")
        .flatMap(runId -> InfoReply.field(info, "evicted_keys")
            .map(keys -> new Count(runId, Long.parseLong(keys))));
  }
}
