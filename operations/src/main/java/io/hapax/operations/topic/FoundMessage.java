package io.hapax.operations.topic;

import java.time.Instant;

/**
 * A message that was found in its topic.
 *
 * @param place the partition or the queue
 * @param offset its offset there
 * @param sentAt when it was sent, by its producer or its broker
 */
public record FoundMessage(String place, long offset, Instant sentAt) {

  /** {@return where the message lies, as marks name it} */
  public String coordinates() {
    return place + "@" + offset;
  }
}
