package io.hapax;

import java.util.Objects;

/**
 * A message as an adapter hands it in.
 *
 * @param message the broker's message
 * @param lane what keeps its order: messages of one lane start one after the other, in the order
 *     handed in; for Kafka the partition
 * @param coordinates where the broker keeps it, for people and for recovery, for example
 *     {@code orders-3@1507}
 * @param probation whether the message belongs to the first window after its lane was assigned; in
 *     transactional mode its attempts are then written before the handler runs, so that a message
 *     that kills its process is found
 * @param <M> the broker's message
 */
public record Incoming<M>(M message, String lane, String coordinates, boolean probation) {

  /**
   * Refuses what is missing, before anything is claimed.
   *
   * @param message not null
   * @param lane not null
   * @param coordinates not null
   * @param probation whether on probation
   */
  public Incoming {
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(lane, "lane");
    Objects.requireNonNull(coordinates, "coordinates");
  }
}
