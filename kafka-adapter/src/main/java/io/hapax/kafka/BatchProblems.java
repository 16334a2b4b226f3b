package io.hapax.kafka;

import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/**
 * Keeps the problems of a poll loop of the application. The poll thread changes them, any thread
 * may list them.
 */
final class BatchProblems {

  private static final Problems.Found UNFINISHED = new Problems.Found(
      Problem.Kind.RECEIVER_DOWN,
      "",
      "a poll was not finished: nothing is processed until seekBack is called");

  private final Map<TopicPartition, Problems.Found> waiting = new HashMap<>();
  private final Problems problems;
  private boolean broken;

  BatchProblems(InstantSource clock) {
    this.problems = new Problems(clock);
  }

  /** Records whether a poll was not finished. */
  void broken(boolean isBroken) {
    broken = isBroken;
    show();
  }

  /** Records why a partition does not move, in place of what was found before. */
  void found(TopicPartition partition, Optional<Problems.Found> found) {
    waiting.remove(partition);
    found.ifPresent(it -> waiting.put(partition, it));
  }

  void forget(Collection<TopicPartition> partitions) {
    waiting.keySet().removeAll(partitions);
    show();
  }

  private void show() {
    problems.replaceAll(
        Stream.concat(waiting.values().stream(), Stream.of(UNFINISHED).filter(it -> broken))
            .toList());
  }

  List<Problem> list() {
    return problems.list();
  }
}
