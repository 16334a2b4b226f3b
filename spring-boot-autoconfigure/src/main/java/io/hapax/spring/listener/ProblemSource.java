package io.hapax.spring.listener;

import io.hapax.health.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;

/** Has problems that belong to the health of the application, besides its receivers. A bean. */
@FunctionalInterface
public interface ProblemSource {

  /** Returns the present problems, without a call to a store or a broker. */
  Map<String, List<Problem>> problemsByName();

  /** Joins sources, which are looked up at each call. */
  static ProblemSource joined(ObjectProvider<ProblemSource> sources) {
    return () -> {
      Map<String, List<Problem>> problems = new TreeMap<>();
      sources
          .orderedStream()
          .forEach(source -> source
              .problemsByName()
              .forEach((name, each) ->
                  problems.computeIfAbsent(name, unseen -> new ArrayList<>()).addAll(each)));
      return problems;
    };
  }
}
