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

  /**
   * The refusals of one message. Each change replaces it, so that an earlier alarm has no effect.
   */
  private static final class Block {

    final int refusals;
    final Duration pause;
    private Runnable cancelAlarm = () -> {};

    Block(int refusals, Duration pause) {
      this.refusals = refusals;
      this.pause = pause;
    }
  }

  /** How long refusals are kept after the problem has ended; a late redelivery counts on. */
  private static final Duration RETENTION = Duration.ofHours(1);

  private final Map<Subject, Block> blocks = new ConcurrentHashMap<>();
  private final Threads threads;
  private final Events events;

  public BlockedMessages(Threads threads, Events events) {
    this.threads = threads;
    this.events = events;
  }

  /** Returns how often in a row the message was refused. */
  public int refusals(InFlightMessage<?> message) {
    Block block = blocks.get(Subject.of(message));
    return block == null ? 0 : block.refusals;
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
    Subject subject = Subject.of(message);
    replace(subject, new Block(refusals(message) + 1, pause));
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
      removeIfPresent(Subject.at(message.incoming.coordinates()));
    }
    Subject subject = Subject.of(message);
    if (blocks.containsKey(subject)) {
      cancelAlarm(subject);
    }
  }

  /** Cancels the alarm of a message that is in flight again, until its outcome is known. */
  private synchronized void cancelAlarm(Subject subject) {
    Block block = blocks.get(subject);
    if (block != null) {
      replace(subject, new Block(block.refusals, block.pause));
    }
  }

  /** Sets the alarms of messages again that are given up without an outcome of their own. */
  public void ended(List<? extends InFlightMessage<?>> messages) {
    messages.forEach(message -> ended(message, Deferrals.ABANDONED));
  }

  /** Removes a message that has finished, or sets the alarm for one that is deferred. */
  void ended(InFlightMessage<?> message, Outcome outcome) {
    if (blocks.isEmpty()) {
      return;
    }
    Subject subject = Subject.of(message);
    if (!blocks.containsKey(subject)) {
      return; // without the lock, because all messages pass here
    }
    if (outcome instanceof Outcome.Deferred deferred) {
      setAlarm(subject, deferred.after());
    } else {
      remove(subject);
    }
  }

  private synchronized void setAlarm(Subject subject, Duration after) {
    Block block = blocks.get(subject);
    if (block != null) {
      Block next = new Block(block.refusals, block.pause);
      replace(subject, next);
      Duration longer = after.compareTo(block.pause) > 0 ? after : block.pause;
      next.cancelAlarm = threads.alarm(() -> missing(subject, next), longer.multipliedBy(3));
    }
  }

  private void replace(Subject subject, Block next) {
    Block before = blocks.put(subject, next);
    if (before != null) {
      before.cancelAlarm.run();
    }
  }

  /** Clears the problem of a message that was not redelivered in time. */
  private synchronized void missing(Subject subject, Block block) {
    if (blocks.get(subject) == block) {
      events.clear(Kind.MESSAGE_BLOCKED, subject.source());
      Block kept = new Block(block.refusals, block.pause);
      replace(subject, kept);
      kept.cancelAlarm = threads.alarm(() -> forget(subject, kept), RETENTION);
    }
  }

  private synchronized void forget(Subject subject, Block block) {
    if (blocks.get(subject) == block) {
      remove(subject);
    }
  }

  /** Takes the lock only for a blocked message, because all messages pass here. */
  private void removeIfPresent(Subject subject) {
    if (blocks.containsKey(subject)) {
      remove(subject);
    }
  }

  private synchronized void remove(Subject subject) {
    Block block = blocks.remove(subject);
    if (block != null) {
      block.cancelAlarm.run();
      events.clear(Kind.MESSAGE_BLOCKED, subject.source());
    }
  }
}
