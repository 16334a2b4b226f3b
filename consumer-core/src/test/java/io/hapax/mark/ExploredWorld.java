package io.hapax.mark;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Everything there is in the world that the explorer walks through.
 *
 * @param now the store's time
 * @param messages the messages
 * @param owners the processes that want to handle the messages
 * @param late a command that is under way
 */
record ExploredWorld(
    Instant now,
    List<ExploredMessage> messages,
    List<ExploredOwner> owners,
    Optional<LateCommand> late) {

  /** How long a failed message waits, and how long a claim may take to the store. */
  static final Duration BACK_OFF = Duration.ofSeconds(10);

  /** Longer than any number of short pauses in one history. */
  static final Duration LEASE = Duration.ofHours(1);

  /** Ends back-offs and limits, but no lease. */
  static final Duration SHORT_PAUSE = Duration.ofSeconds(15);

  /** Ends leases, too. */
  static final Duration LONG_PAUSE = Duration.ofHours(2);

  private static final List<MessageKey> KEYS =
      List.of(SampleMarks.KEY, MessageKey.of("orders-1", "order-43"));

  static MessageKey key(int message) {
    return KEYS.get(message);
  }

  static ExploredWorld atFirst(int messages, int owners) {
    return new ExploredWorld(
        SampleMarks.NOW,
        KEYS.stream().limit(messages).map(ExploredMessage::unknown).toList(),
        IntStream.range(0, owners)
            .mapToObj(index -> ExploredOwner.atFirst(index, messages))
            .toList(),
        Optional.empty());
  }

  /** A microsecond later: the store executes one thing after the other. */
  ExploredWorld later() {
    return new ExploredWorld(now.plusNanos(1000), messages, owners, late);
  }

  ExploredWorld after(Duration pause) {
    return new ExploredWorld(now.plus(pause), messages, owners, late);
  }

  ExploredWorld with(int message, ExploredMessage changed) {
    return new ExploredWorld(now, Listed.with(messages, message, changed), owners, late);
  }

  ExploredWorld with(ExploredOwner changed) {
    return new ExploredWorld(now, messages, Listed.with(owners, changed.index(), changed), late);
  }

  /** The owner's task becomes another. */
  ExploredWorld with(ExploredOwner owner, int message, ExploredTask task) {
    return with(owners.get(owner.index()).with(message, task));
  }

  ExploredWorld with(Optional<LateCommand> underWay) {
    return new ExploredWorld(now, messages, owners, underWay);
  }
}
