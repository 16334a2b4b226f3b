package io.hapax.spring.actuate;

import io.hapax.health.Problem;
import io.hapax.spring.listener.OpenReceiver;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.spring.listener.Receivers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The health of all receivers, executors and consumers. Makes no call to a store. It says nothing
 * about liveness, because a restart does not repair a store.
 */
public final class ReceiversHealth {

  private final Receivers receivers;
  private final ProblemSource others;

  public ReceiversHealth(Receivers receivers, ProblemSource others) {
    this.receivers = receivers;
    this.others = others;
  }

  public Map<String, List<String>> problems() {
    Map<String, List<String>> problems = new LinkedHashMap<>();
    receivers
        .all()
        .forEach(
            each -> problems.merge(each.settings().consumer(), of(each), ReceiversHealth::joined));
    others
        .problemsByName()
        .forEach((name, each) -> problems.merge(name, texts(each), ReceiversHealth::joined));
    return problems;
  }

  public boolean well() {
    return problems().values().stream().allMatch(List::isEmpty);
  }

  static List<String> of(OpenReceiver open) {
    return texts(open.receiver().problems());
  }

  static List<String> texts(List<Problem> problems) {
    return problems.stream().map(ReceiversHealth::text).toList();
  }

  private static String text(Problem problem) {
    return problem.kind() + (problem.subject().isEmpty() ? "" : " " + problem.subject()) + " since "
        + problem.since() + ": " + problem.text();
  }

  /** A consumer of RocketMQ repeats the problems of its receiver. */
  static List<String> joined(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).distinct().toList();
  }
}
