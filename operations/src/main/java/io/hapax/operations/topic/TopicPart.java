package io.hapax.operations.topic;

import io.hapax.operations.text.Text;
import java.util.Set;

/**
 * A topic, or some of its partitions or queues.
 *
 * @param topic the topic
 * @param partitions the numbers of the partitions or queues; empty for all of them
 */
public record TopicPart(String topic, Set<Integer> partitions) {

  /**
   * Checks the topic's name.
   *
   * @param topic not blank
   * @param partitions some numbers, or none
   */
  public TopicPart {
    if (topic.isBlank()) {
      throw Text.of("topic.blank").refusal();
    }
    partitions = Set.copyOf(partitions);
  }

  /**
   * {@return all partitions or queues of a topic}
   *
   * @param topic the topic
   */
  public static TopicPart all(String topic) {
    return new TopicPart(topic, Set.of());
  }

  /**
   * {@return whether a partition or queue belongs to this part}
   *
   * @param partition its number
   */
  public boolean holds(int partition) {
    return partitions.isEmpty() || partitions.contains(partition);
  }
}
