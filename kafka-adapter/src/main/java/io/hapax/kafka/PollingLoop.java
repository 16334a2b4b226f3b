package io.hapax.kafka;

import io.hapax.health.PartitionStatus;
import io.hapax.health.Problem;
import java.util.List;

/** Polls with consumers of its own, until it is stopped or dies. */
interface PollingLoop {

  /**
   * Polls until it is stopped, and leaves the group.
   *
   * @throws RuntimeException what it died of, after it has left the group
   */
  void run();

  /** Ends the loop after its present round. May be called by any thread. */
  void stop();

  /** Returns what keeps messages from moving. May be called by any thread. */
  List<Problem> problems();

  /** Returns how far the partitions are that it has; empty where none is assigned for long. */
  default List<PartitionStatus> partitions() {
    return List.of();
  }
}
