package io.hapax.adapter;

import java.util.Objects;

/**
 * A message as an adapter submits it. If it is made of the message alone, its handler is called
 * once in a delivery: see {@link Handout#of}.
 *
 * @param handout gives the broker's message to the handler
 * @param lane its ordering key: messages of one lane run one after the other, in the order in which
 *     they were submitted; for Kafka the partition
 * @param inOrder whether it blocks the messages behind it in its lane when it cannot run now. False
 *     where the broker promises no order, and a message can be sent back by itself. The same for
 *     all messages of a lane
 * @param coordinates where the broker keeps it, for people and for recovery, for example
 *     {@code orders-3@1507}
 * @param probation whether the message belongs to the first window after its lane was assigned. In
 *     transactional mode its attempts are then written before the handler runs. That finds a
 *     message that kills its process
 * @param timestampMillis when it was sent, in milliseconds since 1970, by the clock of the producer
 *     or of the broker; {@link #NO_TIMESTAMP} if it is unknown. The same for every delivery
 * @param lastDelivery whether the broker drops the message if this delivery is not acknowledged. If
 *     it fails, or has failed before, it is dead-lettered at once
 * @param <M> the broker's message
 */
public record Incoming<M>(
    Handout<M> handout,
    String lane,
    boolean inOrder,
    String coordinates,
    boolean probation,
    long timestampMillis,
    boolean lastDelivery) {

  /** The time of sending is unknown. A number, because each message of each poll has one. */
  public static final long NO_TIMESTAMP = Long.MIN_VALUE;

  /**
   * Refuses what is missing, before anything is claimed.
   *
   * @param handout not null
   * @param lane not null
   * @param inOrder whether it blocks the messages behind it
   * @param coordinates not null
   * @param probation whether on probation
   * @param timestampMillis when it was sent, or {@link #NO_TIMESTAMP}
   * @param lastDelivery whether the broker drops it after this delivery
   */
  public Incoming {
    Objects.requireNonNull(handout, "handout");
    Objects.requireNonNull(lane, "lane");
    Objects.requireNonNull(coordinates, "coordinates");
  }

  /**
   * A message that the broker redelivers until it is acknowledged.
   *
   * @param handout not null
   * @param lane not null
   * @param inOrder whether it blocks the messages behind it
   * @param coordinates not null
   * @param probation whether on probation
   * @param timestampMillis when it was sent, or {@link #NO_TIMESTAMP}
   */
  public Incoming(
      Handout<M> handout,
      String lane,
      boolean inOrder,
      String coordinates,
      boolean probation,
      long timestampMillis) {
    this(handout, lane, inOrder, coordinates, probation, timestampMillis, false);
  }

  /**
   * A message of a lane that keeps an order, whose time of sending is unknown.
   *
   * @param message not null
   * @param lane not null
   * @param coordinates not null
   * @param probation whether on probation
   */
  public Incoming(M message, String lane, String coordinates, boolean probation) {
    this(
        Handout.of(Objects.requireNonNull(message, "message")),
        lane,
        true,
        coordinates,
        probation,
        NO_TIMESTAMP);
  }

  /** {@return {@link Handout#received}: the message as the broker sent it} */
  public M message() {
    return handout.received();
  }

  /**
   * {@return a broker's time, or {@link #NO_TIMESTAMP} for 0 or less: the broker does not know it}
   *
   * @param millis since 1970, as the broker has it
   */
  public static long sentAt(long millis) {
    return millis > 0 ? millis : NO_TIMESTAMP;
  }
}
