package io.hapax.spring.rocketmq;

import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.InstantSource;
import java.util.List;

/** Reports a container that was started and does not run any more, whatever has ended it. */
final class EndedContainer {

  private final String consumer;
  private final Problems problems;

  EndedContainer(String consumer, InstantSource clock) {
    this.consumer = consumer;
    this.problems = new Problems(clock);
  }

  String consumer() {
    return consumer;
  }

  /** Returns the problem, while the container has ended. */
  List<Problem> problems(boolean ended) {
    problems.replaceAll(
        ended
            ? List.of(new Problems.Found(
                Problem.Kind.RECEIVER_DOWN,
                "",
                "the container of " + consumer + " has ended or was stopped: it receives no"
                    + " message until the application is started again"))
            : List.of());
    return problems.list();
  }
}
