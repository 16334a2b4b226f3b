package io.hapax.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * Checks whether the original topics and partitions of messages still exist. It asks the brokers
 * once for each topic. A producer would find out too, but only after a mark was reopened. It could
 * also make the brokers create the topic anew, without any consumer that reads it. For one thread.
 */
final class Destinations {

  private final BrokerView brokers;
  private final Map<String, List<Integer>> known = new HashMap<>();

  Destinations(BrokerView brokers) {
    this.brokers = brokers;
  }

  /** Returns why no message can be published there; empty if one can. */
  Optional<String> flaw(TopicPartition place) throws InterruptedException {
    List<Integer> partitions = known.get(place.topic());
    if (partitions == null) {
      partitions = brokers.partitions(place.topic());
      known.put(place.topic(), partitions);
    }
    if (partitions.contains(place.partition())) {
      return Optional.empty();
    }
    String what =
        partitions.isEmpty() ? "its topic " : "partition " + place.partition() + " of its topic ";
    return Optional.of(what + place.topic() + " does not exist any more");
  }
}
