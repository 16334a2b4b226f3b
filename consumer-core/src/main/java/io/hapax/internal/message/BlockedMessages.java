package io.hapax.internal.message;

import io.hapax.adapter.Outcome;
import io.hapax.health.Problem.Kind;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the messages that can neither run nor be acknowledged, because an operator must act or
 * because their dead-letter record is not accepted. Such a message stops its lane, if that has an
 * order. It is logged at each attempt and is a problem until it finishes.
 *
 * <p>If it is not redelivered, because its lane moved to another process, the problem ends after
 * three times its pause. A broker's next delay level is up to two and a half times as long as the
 * pause.
 */
public final class BlockedMessages {

  private static final Logger LOG = LoggerFactory.getLogger(BlockedMessages.class);

  /** Identifies a message by its id and payload, or by its coordinates if it has no mark. */
  private record Subject(Optional<MessageKey> key, Fingerprint fingerprint, String where) {

    static Subject of(InFlightMessage<?> message) {
      return message.markable
          ? new Subject(message.key(), message.fingerprint, "")
          : at(message.incoming.coordinates());
    }

    static Subject at(String where) {
      return new Subject(Optional.empty(), Fingerprint.NONE, where);
    }

    /** Returns the identity of the problem; it includes all bytes of the id. */
    String source() {
      return fingerprint.value() + ' ' + key.map(Subject::whole).orElse("") + where;
    }

    private static String whole(MessageKey key) {
      return key.scope() + '/' + new String(key.id().toByteArray(), StandardCharsets.ISO_8859_1);
    }
  }

  /** The refusals of one message, and when its problem ends; empty while it is in flight. */
  private record Block(int refusals, Duration pause, OptionalLong endNanos) {

    boolean endedBefore(long nanos) {
      return endNanos.isPresent() && nanos - endNanos.getAsLong() >= 0;
    }
  }

  /** How long refusals are kept after the problem has ended; a late redelivery counts on. */
  private static final Duration RETENTION = Duration.ofHours(1);

  private static final Duration LONGEST = Duration.ofDays(365);

  /** The shortest time between two looks at all blocked messages, unless health is read. */
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final Map<Subject, Block> blocks = new ConcurrentHashMap<>();
  private final Ticker ticker;
  private final Events events;

  /** The lock of this guards it. */
  private long lookedNanos;

  public BlockedMessages(Ticker ticker, Events events) {
    this.ticker = ticker;
    this.events = events;
    this.lookedNanos = ticker.nanos();
  }

  public int refusals(InFlightMessage<?> message) {
    Block block = blocks.get(Subject.of(message));
    return block == null ? 0 : block.refusals();
  }

  /** Logs a refusal of the message and raises its problem; the caller then finishes the message. */
  public void block(InFlightMessage<?> message, String detail, Duration pause) {
    LOG.error("{}; {}", detail, consequence(message));
    raise(message, detail, pause);
  }

  private static String consequence(InFlightMessage<?> message) {
    return message.incoming.inOrder()
        ? "the messages behind it in its partition or queue wait"
        : "no other message waits for it";
  }

  private synchronized void raise(InFlightMessage<?> message, String detail, Duration pause) {
    if (ticker.nanos() - lookedNanos > PAUSE.toNanos()) {
      clearMissing(); // so that they do not fill the memory
    }
    Subject subject = Subject.of(message);
    blocks.put(subject, new Block(refusals(message) + 1, pause, OptionalLong.empty()));
    events.raise(Kind.MESSAGE_BLOCKED, subject.source(), message.incoming.coordinates(), detail);
  }

  /** Records redelivered messages. One without id or fingerprint before may have it now. */
  public void redelivered(List<? extends InFlightMessage<?>> messages) {
    if (!blocks.isEmpty()) {
      messages.forEach(this::redelivered);
    }
  }

  private void redelivered(InFlightMessage<?> message) {
    if (message.markable) {
      remove(Subject.at(message.incoming.coordinates()));
    }
    endsAt(Subject.of(message), OptionalLong.empty());
  }

  /** Ends the flight of messages that are given up without an outcome of their own. */
  public void ended(List<? extends InFlightMessage<?>> messages) {
    messages.forEach(message -> ended(message, Deferrals.ABANDONED));
  }

  /** Removes a message that has finished; the problem of a deferred one ends unless it returns. */
  void ended(InFlightMessage<?> message, Outcome outcome) {
    if (blocks.isEmpty()) {
      return;
    }
    Subject subject = Subject.of(message);
    Block block = blocks.get(subject); // without the lock, because all messages pass here
    if (block == null) {
      return;
    }
    if (outcome instanceof Outcome.Deferred deferred) {
      Duration longer =
          deferred.after().compareTo(block.pause()) > 0 ? deferred.after() : block.pause();
      long nanos = TimeUnit.NANOSECONDS.convert(longer.multipliedBy(3));
      endsAt(subject, OptionalLong.of(ticker.nanos() + Math.min(nanos, LONGEST.toNanos())));
    } else {
      remove(subject);
    }
  }

  private void endsAt(Subject subject, OptionalLong nanos) {
    blocks.computeIfPresent(subject, (it, old) -> new Block(old.refusals(), old.pause(), nanos));
  }

  /** Clears the problems of messages that were not redelivered in time. */
  public synchronized void clearMissing() {
    long now = ticker.nanos();
    blocks
        .keySet()
        .forEach(subject -> blocks.computeIfPresent(subject, (it, block) -> {
          if (block.endedBefore(now)) {
            events.clear(Kind.MESSAGE_BLOCKED, subject.source());
          }
          return block.endedBefore(now - RETENTION.toNanos()) ? null : block;
        }));
    lookedNanos = now;
  }

  private void remove(Subject subject) {
    if (blocks.containsKey(subject)) {
      removePresent(subject);
    }
  }

  private synchronized void removePresent(Subject subject) {
    if (blocks.remove(subject) != null) {
      events.clear(Kind.MESSAGE_BLOCKED, subject.source());
    }
  }
}
