package io.hapax.internal.message;

import io.hapax.adapter.Outcome;
import io.hapax.health.Problem.Kind;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Threads;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages that can neither run nor be acknowledged, because a person must act or nobody takes
 * a dead letter. Their lanes stop at them, if they have an order. Each is named in the log whenever
 * it stands, and as a problem until it is through. If it does not come again, because its lane went
 * to another process, it is named for three times the pause after which it was to: a broker's next
 * longer delay is up to two and a half times of what was asked for.
 */
public final class BlockedMessages {

  private static final Logger LOG = LoggerFactory.getLogger(BlockedMessages.class);

  /** A message by what it is known by, and without that by its place. */
  private record Who(Optional<MessageKey> key, Fingerprint fingerprint, String where) {

    static Who of(InFlightMessage<?> item) {
      return item.markable
          ? new Who(item.key(), item.fingerprint, "")
          : at(item.incoming.coordinates());
    }

    static Who at(String where) {
      return new Who(Optional.empty(), Fingerprint.NONE, where);
    }

    /** Identifies the problem: every byte of the id counts, of which a text shows the first. */
    String source() {
      return fingerprint.value() + ' ' + key.map(Who::whole).orElse("") + where;
    }

    private static String whole(MessageKey key) {
      return key.scope() + '/' + new String(key.id().toByteArray(), StandardCharsets.ISO_8859_1);
    }
  }

  /** Replaced at each change, so that an alarm that is on its way already finds it gone. */
  private static final class Stall {

    final int times;
    final Duration pause;
    private Runnable alarm = () -> {};

    Stall(int times, Duration pause) {
      this.times = times;
      this.pause = pause;
    }
  }

  /** A message that comes later than it was to, from behind others, waits by all its refusals. */
  private static final Duration REMEMBERED = Duration.ofHours(1);

  private final Map<Who, Stall> stalls = new ConcurrentHashMap<>();
  private final Threads threads;
  private final Events events;

  public BlockedMessages(Threads threads, Events events) {
    this.threads = threads;
    this.events = events;
  }

  /** How often in a row the message has stood. */
  public int times(InFlightMessage<?> item) {
    Stall stall = stalls.get(Who.of(item));
    return stall == null ? 0 : stall.times;
  }

  /** The message stands, once more; its outcome is to follow. */
  public void stands(InFlightMessage<?> item, String detail, Duration pause) {
    LOG.error("{}; {}", detail, whatWaits(item));
    raise(item, detail, pause);
  }

  private static String whatWaits(InFlightMessage<?> item) {
    return item.incoming.inOrder()
        ? "what stands behind it in its partition or queue waits"
        : "nothing else waits for it";
  }

  private synchronized void raise(InFlightMessage<?> item, String detail, Duration pause) {
    Who who = Who.of(item);
    replace(who, new Stall(times(item) + 1, pause));
    events.raise(Kind.MESSAGE_BLOCKED, who.source(), item.incoming.coordinates(), detail);
  }

  /** What had no id, or no fingerprint, may have one now that it comes again. */
  public void comeAgain(List<? extends InFlightMessage<?>> items) {
    if (!stalls.isEmpty()) {
      items.forEach(this::comesAgain);
    }
  }

  private void comesAgain(InFlightMessage<?> item) {
    if (item.markable) {
      over(Who.at(item.incoming.coordinates()));
    }
    Who who = Who.of(item);
    if (stalls.containsKey(who)) {
      rest(who);
    }
  }

  /** It is tried again, and not missed until its outcome is known. */
  private synchronized void rest(Who who) {
    Stall stall = stalls.get(who);
    if (stall != null) {
      replace(who, new Stall(stall.times, stall.pause));
    }
  }

  /** The message has its outcome: it is through, or comes again. */
  void ended(InFlightMessage<?> item, Outcome outcome) {
    if (stalls.isEmpty()) {
      return;
    }
    Who who = Who.of(item);
    if (!stalls.containsKey(who)) {
      return; // without the lock: while one message stands, all others come by here
    }
    if (outcome instanceof Outcome.Deferred deferred) {
      waits(who, deferred.after());
    } else {
      remove(who);
    }
  }

  private synchronized void waits(Who who, Duration after) {
    Stall stall = stalls.get(who);
    if (stall != null) {
      Stall next = new Stall(stall.times, stall.pause);
      replace(who, next);
      Duration longer = after.compareTo(stall.pause) > 0 ? after : stall.pause;
      next.alarm = threads.alarm(() -> missed(who, next), longer.multipliedBy(3));
    }
  }

  private void replace(Who who, Stall next) {
    Stall before = stalls.put(who, next);
    if (before != null) {
      before.alarm.run();
    }
  }

  private synchronized void missed(Who who, Stall stall) {
    if (stalls.get(who) == stall) {
      events.clear(Kind.MESSAGE_BLOCKED, who.source());
      Stall away = new Stall(stall.times, stall.pause);
      replace(who, away);
      away.alarm = threads.alarm(() -> forget(who, away), REMEMBERED);
    }
  }

  private synchronized void forget(Who who, Stall stall) {
    if (stalls.get(who) == stall) {
      remove(who);
    }
  }

  /** Asks before it locks: while one message stands, all others come by here. */
  private void over(Who who) {
    if (stalls.containsKey(who)) {
      remove(who);
    }
  }

  private synchronized void remove(Who who) {
    Stall stall = stalls.remove(who);
    if (stall != null) {
      stall.alarm.run();
      events.clear(Kind.MESSAGE_BLOCKED, who.source());
    }
  }
}
