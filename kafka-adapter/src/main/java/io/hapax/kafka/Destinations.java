package io.hapax.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * Whether there still is what dead letters came from; the brokers are asked once for each topic. A
 * producer would find out too, after a mark was reopened, and may have brokers make a topic anew,
 * with nobody who reads it. For one thread.
 */
final class Destinations {

  private final BrokerView brokers;
  private final Map<String, List<Integer>> known = new HashMap<>();

  Destinations(BrokerView brokers) {
    this.brokers = brokers;
  }

  /** Why nothing can be brought back to there; empty if it can. */
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
