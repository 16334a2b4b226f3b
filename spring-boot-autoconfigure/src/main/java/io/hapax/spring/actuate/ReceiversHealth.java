package io.hapax.spring.actuate;

import io.hapax.health.Problem;
import io.hapax.spring.listener.OpenReceiver;
import io.hapax.spring.listener.Receivers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The health of all receivers, for every line of Spring Boot. Makes no call to a store.
 *
 * <p>Every problem of a receiver counts: while there is one, messages do not move, or a person has
 * to look. It says nothing about liveness, because a restart does not repair a store.
 */
public final class ReceiversHealth {

  private final Receivers receivers;

  /**
   * Makes the health of receivers.
   *
   * @param receivers the receivers of the application
   */
  public ReceiversHealth(Receivers receivers) {
    this.receivers = receivers;
  }

  /**
   * Returns the present problems.
   *
   * @return the problems of each consumer, by its name; a consumer without a problem has none
   */
  public Map<String, List<String>> problems() {
    Map<String, List<String>> problems = new LinkedHashMap<>();
    receivers
        .all()
        .forEach(
            each -> problems.merge(each.settings().consumer(), of(each), ReceiversHealth::joined));
    return problems;
  }

  /**
   * Returns whether no receiver has a problem.
   *
   * @return true if there is no problem
   */
  public boolean well() {
    return receivers.all().stream().allMatch(it -> it.receiver().problems().isEmpty());
  }

  static List<String> of(OpenReceiver open) {
    return open.receiver().problems().stream().map(ReceiversHealth::text).toList();
  }

  private static String text(Problem problem) {
    return problem.kind() + (problem.subject().isEmpty() ? "" : " " + problem.subject()) + " since "
        + problem.since() + ": " + problem.text();
  }

  private static List<String> joined(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }
}
