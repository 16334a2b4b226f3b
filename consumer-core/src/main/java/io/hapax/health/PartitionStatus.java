package io.hapax.health;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far one consumer is in a partition or queue that it has at the moment.
 *
 * @param partition the name of the partition or queue, for example {@code orders-3}
 * @param inFlight how many of its messages were submitted to the receiver and have no outcome
 * @param buffered how many were polled and not submitted yet
 * @param pause why nothing more is read from it; empty while it is read
 * @param commitLag how many offsets are behind the consumer's position and above the latest commit
 *     that the broker acknowledged. A crash redelivers them, completed ones as duplicates
 * @param lag how many offsets are between the consumer's position and the end; empty if the
 *     broker's client does not know the end yet
 */
public record PartitionStatus(
    String partition,
    int inFlight,
    int buffered,
    Optional<Pause> pause,
    long commitLag,
    OptionalLong lag) {

  /** Why nothing is read from a partition. */
  public enum Pause {
    /** As many messages are kept as the adapter may keep. Handlers are slower than the broker. */
    BACKPRESSURE,
    /** A message waits for its next attempt, or for the end of another consumer's lease. */
    DEFERRED,
    /** A record cannot be read. */
    UNREADABLE
  }
}
